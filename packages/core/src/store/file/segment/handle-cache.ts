import type { Awaitable } from '../../../async/awaitable.ts';
import type { Files } from '../../../env/files.ts';
import { failuresOf, settleAll } from '../../../async/in-parallel.ts';
import { OpenSegment, type RoomRule } from './open-segment.ts';
import { type RunPlace, segmentPath } from '../run/run-place.ts';
import type { SegmentWish } from './segment-file.ts';
import { inDoubt, withoutEffect } from '../errors.ts';

/** So many files are closed at once: of each that has room, the room is cut off and that is synced. */
const closedAtOnce = 16;

interface Kept {
  readonly place: RunPlace;
  readonly first: number;
  readonly opening: Promise<OpenSegment>;
  /** Undefined until it is open. */
  segment: OpenSegment | undefined;
  users: number;
}

/**
 * Keeps the segments that are written to open: one a run, up to a number; those not used for the longest are let go of first.
 */
export class HandleCache {
  readonly #files: Files;
  readonly #most: number;
  readonly #room: RoomRule;
  /** By folder, in the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  /** The last of them. */
  #newest: Kept | undefined;

  constructor(files: Files, most: number, room: RoomRule) {
    this.#files = files;
    this.#most = most;
    this.#room = room;
  }

  /**
   * Uses the segment, which stays open for the next use; without a promise when it is open and the call needs none. The
   * one before it is closed: a run is written to in one place.
   *
   * @throws HOLDFAST_STORE_FAILED when it cannot be opened: nothing has been written to it; in doubt when the one before
   * could not be cut
   */
  use<T>(wish: SegmentWish, how: 'write' | 'create', call: (segment: OpenSegment) => Awaitable<T>): Awaitable<T> {
    const { place, first } = wish;
    const known = this.#kept.get(place.folder);
    if (known !== undefined && known.first !== first) {
      return this.#finish(place).then(() => this.use(wish, how, call), couldNotCut);
    }
    const kept = known ?? this.#open(wish, how);
    if (kept !== this.#newest) this.#putLast(kept);
    if (kept.segment === undefined) return this.#hold(kept, kept.opening.then(call, couldNotOpen));
    const result = call(kept.segment);
    return result instanceof Promise ? this.#hold(kept, result) : result;
  }

  /** A file that could not be opened is tried again the next time. */
  #open({ place, first }: SegmentWish, how: 'write' | 'create'): Kept {
    const handle = this.#files.open(segmentPath(place, first), how);
    const opening = handle.then((open) => new OpenSegment(open, this.#room));
    const kept: Kept = { place, first, opening, segment: undefined, users: 0 };
    opening.then(
      (segment) => {
        kept.segment = segment;
      },
      () => this.#kept.delete(place.folder),
    );
    return kept;
  }

  #putLast(kept: Kept): void {
    const { folder } = kept.place;
    this.#kept.delete(folder);
    this.#kept.set(folder, kept);
    this.#newest = kept;
  }

  /** A file is not closed while it is used. */
  async #hold<T>(kept: Kept, using: Promise<T>): Promise<T> {
    kept.users += 1;
    try {
      return await using;
    } finally {
      kept.users -= 1;
      if (this.#kept.size > this.#most) await this.#leaveOldest();
    }
  }

  /** Lets go of the run's segment, if one is open, as it is: it is about to be renamed or removed. */
  async leave(place: RunPlace): Promise<void> {
    await (await this.#take(place))?.handle.close();
  }

  async leaveAll(): Promise<void> {
    await this.#each((place) => this.leave(place));
  }

  /** Closes all segments without room behind them; false when that has failed for one. */
  async closeAll(): Promise<boolean> {
    return failuresOf(await this.#each((place) => this.#finish(place))).length === 0;
  }

  #each(call: (place: RunPlace) => Promise<void>): Promise<readonly PromiseSettledResult<void>[]> {
    return settleAll([...this.#kept.values()], closedAtOnce, ({ place }) => call(place));
  }

  async #finish(place: RunPlace): Promise<void> {
    await (await this.#take(place))?.finish();
  }

  #take({ folder }: RunPlace): Promise<OpenSegment> | undefined {
    const kept = this.#kept.get(folder);
    this.#kept.delete(folder);
    if (kept === this.#newest) this.#newest = undefined;
    return kept?.opening;
  }

  /** Room stays where it is: the run may be written to anew, through another handle, before it were cut off. */
  async #leaveOldest(): Promise<void> {
    for (const { place, users } of this.#kept.values()) {
      if (this.#kept.size <= this.#most) return;
      // Whoever is through with another file has nothing to do with a failure of this one.
      if (users === 0) await this.leave(place).catch(() => {});
    }
  }
}

function couldNotOpen(cause: unknown): never {
  throw withoutEffect(cause);
}

function couldNotCut(cause: unknown): never {
  throw inDoubt(cause);
}
