import { failuresOf, settleAll } from '../../../async/in-parallel.ts';
import type { Files } from '../../../env/files.ts';
import { inDoubt, withoutEffect } from '../errors.ts';
import { type RunPlace, segmentPath } from '../run/run-place.ts';
import { OpenSegment, type RoomRule } from './open-segment.ts';
import type { SegmentWish } from './segment-file.ts';

/** How many files are closed at the same time. Where one has room, closing it cuts the room off and syncs. */
const closedTogether = 16;

interface Kept {
  readonly place: RunPlace;
  readonly first: number;
  readonly opening: Promise<OpenSegment>;
  users: number;
}

/** Keeps segments open for writing: one per run, up to a number. Those not used for the longest are closed first. */
export class HandleCache {
  readonly #files: Files;
  readonly #most: number;
  readonly #room: RoomRule;
  /** By folder, in the order of their last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(files: Files, most: number, room: RoomRule) {
    this.#files = files;
    this.#most = most;
    this.#room = room;
  }

  /**
   * Uses the segment, which stays open for the next use. The run's segment before it is closed: a run has one place to
   * write to. No file is closed while it is used.
   *
   * @throws HOLDFAST_STORE_FAILED without effect if it cannot be opened; in doubt if the one before could not be cut
   */
  async use<T>(wish: SegmentWish, how: 'write' | 'create', call: (segment: OpenSegment) => Promise<T>): Promise<T> {
    const { folder } = wish.place;
    if ((this.#kept.get(folder)?.first ?? wish.first) !== wish.first) await this.#finish(wish.place).catch(couldNotCut);
    const kept = this.#kept.get(folder) ?? this.#open(wish, how);
    this.#kept.delete(folder);
    this.#kept.set(folder, kept);
    kept.users += 1;
    try {
      return await call(await kept.opening.catch(couldNotOpen));
    } finally {
      kept.users -= 1;
      if (this.#kept.size > this.#most) await this.#dropOldest();
    }
  }

  /** A file that could not be opened is tried again the next time. */
  #open({ place, first }: SegmentWish, how: 'write' | 'create'): Kept {
    const handle = this.#files.open(segmentPath(place, first), how);
    const opening = handle.then((open) => new OpenSegment(open, this.#room));
    opening.catch(() => this.#kept.delete(place.folder));
    return { place, first, opening, users: 0 };
  }

  /** Closes the run's segment, if one is open, as it is: it is about to be renamed or removed. */
  async drop(place: RunPlace): Promise<void> {
    await (await this.#forget(place))?.handle.close();
  }

  async dropAll(): Promise<void> {
    await this.#each((place) => this.drop(place));
  }

  /** Closes all segments without room behind them; false when that has failed for one. */
  async closeAll(): Promise<boolean> {
    return failuresOf(await this.#each((place) => this.#finish(place))).length === 0;
  }

  #each(call: (place: RunPlace) => Promise<void>): Promise<readonly PromiseSettledResult<void>[]> {
    return settleAll([...this.#kept.values()], closedTogether, ({ place }) => call(place));
  }

  async #finish(place: RunPlace): Promise<void> {
    await (await this.#forget(place))?.finish();
  }

  #forget({ folder }: RunPlace): Promise<OpenSegment> | undefined {
    const kept = this.#kept.get(folder);
    this.#kept.delete(folder);
    return kept?.opening;
  }

  /** Room stays where it is: cutting it off could race with a write through a new handle of the same file. */
  async #dropOldest(): Promise<void> {
    for (const { place, users } of this.#kept.values()) {
      if (this.#kept.size <= this.#most) return;
      // A failure to close this file is no failure of the caller's own.
      if (users === 0) await this.drop(place).catch(() => {});
    }
  }
}

function couldNotOpen(cause: unknown): never {
  throw withoutEffect(cause);
}

function couldNotCut(cause: unknown): never {
  throw inDoubt(cause);
}
