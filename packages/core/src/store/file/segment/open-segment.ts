import type { FileHandle } from '../../../env/files.ts';
import { blank } from './segment-room.ts';

/** Cuts a file to this length, durably. */
export async function cut(handle: FileHandle, length: number): Promise<void> {
  await handle.truncate(length);
  await handle.sync();
}

/** When and how far blanks are written ahead. */
export interface RoomRule {
  /** This many commits to an open file are appended without blanks. */
  readonly after: number;
  /** The next one is followed by blanks up to a multiple of this. */
  readonly step: number;
}

/** Most runs do a few steps and wait. For those, room would cost a longer write and a sync to remove it. */
export const defaultRoom: RoomRule = { after: 8, step: 16_384 };

/**
 * A segment that is open for writing. While a run is busy, its file is longer than its commits: a sync that does not change
 * the length needs no entry in the file system's journal, which is a third of its time. So a commit that finds no room is
 * written with blanks behind it, and the next ones overwrite them.
 */
export class OpenSegment {
  readonly handle: FileHandle;
  readonly #rule: RoomRule;
  #commits = 0;
  /** Where the last commit ends. */
  #end = 0;
  /** Up to where blanks are known to follow it. */
  #room = 0;

  constructor(handle: FileHandle, rule: RoomRule) {
    this.handle = handle;
    this.#rule = rule;
  }

  /** What to write for the next commit. It counts as written; if it fails, `cutTo` must follow. */
  next(commit: Buffer, position: number): Buffer {
    const end = position + commit.length;
    this.#end = end;
    if (end <= this.#room || this.#commits < this.#rule.after) {
      this.#commits += 1;
      return commit;
    }
    this.#room = Math.ceil(end / this.#rule.step) * this.#rule.step;
    return Buffer.concat([commit, Buffer.alloc(this.#room - end, blank)]);
  }

  /** Cuts off what follows a commit, durably. The next commits do without room, as the disk may be full. */
  async cutTo(end: number): Promise<void> {
    this.#commits = 0;
    this.#end = end;
    this.#room = 0;
    await cut(this.handle, end);
  }

  /**
   * Cuts off the room, also of an earlier process, and closes the file. Nothing may write to the file through another
   * handle until this is done.
   */
  async finish(): Promise<void> {
    try {
      if (this.#end > 0 && (await this.handle.size()) > this.#end) await this.cutTo(this.#end);
    } finally {
      await this.handle.close();
    }
  }
}
