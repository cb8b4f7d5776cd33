import type { FileHandle } from '../../../env/files.ts';
import { blank } from './segment-room.ts';

/** Cuts a file to this length, durably. */
export async function cut(handle: FileHandle, length: number): Promise<void> {
  await handle.truncate(length);
  await handle.sync();
}

/** When and how far blanks are written ahead. */
export interface RoomRule {
  /** So many commits that are appended to an open file come without. */
  readonly after: number;
  /** The next one has blanks behind it up to a multiple of this. */
  readonly step: number;
}

/** Most runs do a few steps and wait: for those it would be a longer write, and a sync to take it back. */
export const defaultRoom: RoomRule = { after: 8, step: 16_384 };

/**
 * A segment that is open for writing. While a run is busy its file is longer than its commits: a sync that finds the
 * length as it was needs no entry in the journal of the file system, which is a third of its time. So a commit for which
 * there is no room is written with blanks behind it, for the next ones to be written over.
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

  /** What to write for a commit that comes next. It counts as written; what was not is to be cut off. */
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

  /** Cuts off what stands after a commit, durably. Should there be no space for room, the next commits do without. */
  async cutTo(end: number): Promise<void> {
    this.#commits = 0;
    this.#end = end;
    this.#room = 0;
    await cut(this.handle, end);
  }

  /**
   * Leaves the file as long as its commits and lets go of it. An earlier process may have left room, too. Nobody may write
   * to the file through another handle before this is done.
   */
  async finish(): Promise<void> {
    try {
      if (this.#end > 0 && (await this.handle.size()) > this.#end) await this.cutTo(this.#end);
    } finally {
      await this.handle.close();
    }
  }
}
