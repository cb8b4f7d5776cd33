import type { Segment } from '../history/lineage.ts';
import type { CheckedStore, ReadOptions } from '../store/checked-store.ts';
import type { Snapshot } from '../store/commit/encode.ts';
import type { SnapshotKey } from '../store/contract/commit.ts';
import { compareSnapshots } from '../store/snapshot-order.ts';

/** A snapshot and the run that holds it. */
export interface Placed {
  readonly runId: string;
  readonly snapshot: Snapshot;
}

interface WalkOptions {
  readonly store: CheckedStore;
  /** Newest segment first, as `loadSegments` gives them. */
  readonly segments: readonly Segment[];
  /** Only snapshots that cover at most this seq. */
  readonly covers?: number | undefined;
  /** Only snapshots before this one in the order. */
  readonly before?: SnapshotKey | undefined;
}

/** The first pages are small, because most readers want one snapshot. Readers that continue want all of them. */
const pageSizes = [2, 16, 256];

/**
 * The heads of a run's snapshots, including those of the runs it was forked from, greatest first in the order of
 * `compareSnapshots`. A base is read only when it may hold the next snapshot.
 */
export async function* walkSnapshots(options: WalkOptions, read: ReadOptions = {}): AsyncGenerator<Placed> {
  const { segments } = options;
  const open: { readonly rest: AsyncGenerator<Placed, undefined>; first: Placed }[] = [];
  let opened = 0;
  for (;;) {
    open.sort((a, b) => compareSnapshots(b.first.snapshot, a.first.snapshot));
    const best = open[0];
    const below = segments[opened];
    if (below !== undefined && (best === undefined || best.first.snapshot.covers < below.upTo)) {
      const rest = walkSegment(options, below, read);
      const { value: first } = await rest.next();
      if (first !== undefined) open.push({ rest, first });
      opened += 1;
      continue;
    }
    if (best === undefined) return;
    yield best.first;
    const { value: next } = await best.rest.next();
    if (next === undefined) open.shift();
    else best.first = next;
  }
}

/** A run's own snapshots in the segment: a base may have saved more after it was forked. */
async function* walkSegment(
  { store, covers, before }: WalkOptions,
  { runId, upTo }: Segment,
  read: ReadOptions,
): AsyncGenerator<Placed, undefined> {
  // No snapshot covers more than its own seq, so those that cover more lie past the segment.
  const most = Math.min(covers ?? upTo, upTo);
  let last = before;
  for (let pages = 0; ; pages += 1) {
    const limit = pageSizes[Math.min(pages, pageSizes.length - 1)] as number;
    const page = await store.snapshots({ runId, covers: most, before: last, limit, bodies: false }, read);
    for (const snapshot of page) if (snapshot.seq <= upTo) yield { runId, snapshot };
    last = page.at(-1);
    if (last === undefined || page.length < limit) return undefined;
  }
}
