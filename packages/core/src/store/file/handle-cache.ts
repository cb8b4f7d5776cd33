import type { Awaitable } from '../../async/awaitable.ts';
import type { Files } from '../../env/files.ts';
import { settleAll } from './in-parallel.ts';
import { type RunPlace, segmentPath } from './run-place.ts';
import type { SegmentWish } from './segment-file.ts';
import { OpenSegment, type RoomRule } from './segment-room.ts';
import { withoutEffect } from './write-fault.ts';

/** Closing a file of a busy run takes a sync. */
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
 * Keeps the segments that are written to open: one a run, up to a number; those not used for the longest are closed first.
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
   * @throws HOLDFAST_STORE_FAILED when it cannot be opened: nothing has been written to it
   */
  use<T>(wish: SegmentWish, how: 'write' | 'create', call: (segment: OpenSegment) => Awaitable<T>): Awaitable<T> {
    const { place, first } = wish;
    const known = this.#kept.get(place.folder);
    if (known !== undefined && known.first !== first) {
      const closing = this.close(place).catch(() => {});
      return closing.then(() => this.use(wish, how, call));
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
      if (this.#kept.size > this.#most) await this.#closeOldest();
    }
  }

  /** Closes the run's segment, if one is open: it is about to be renamed or removed. */
  async close(place: RunPlace): Promise<void> {
    await (await this.#take(place))?.close();
  }

  async closeAll(): Promise<void> {
    await settleAll([...this.#kept.values()], closedAtOnce, ({ place }) => this.close(place));
  }

  /** Lets go of all files as they are. */
  async leaveAll(): Promise<void> {
    await settleAll([...this.#kept.values()], closedAtOnce, async ({ place }) =>
      (await this.#take(place))?.handle.close(),
    );
  }

  #take({ folder }: RunPlace): Promise<OpenSegment> | undefined {
    const kept = this.#kept.get(folder);
    this.#kept.delete(folder);
    if (kept === this.#newest) this.#newest = undefined;
    return kept?.opening;
  }

  async #closeOldest(): Promise<void> {
    for (const { place, users } of this.#kept.values()) {
      if (this.#kept.size <= this.#most) return;
      if (users === 0) await this.close(place);
    }
  }
}

function couldNotOpen(cause: unknown): never {
  throw withoutEffect(cause);
}
