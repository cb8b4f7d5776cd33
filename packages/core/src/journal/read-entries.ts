import type { Segment } from '../history/lineage.ts';
import type { Entry } from '../record/record.ts';
import type { CheckedStore, RecordPage } from '../store/checked-store.ts';

/** Large enough to make round trips cheap, small enough for readers that stop early. */
const pageSize = 256;

interface ReadEntriesOptions {
  readonly store: CheckedStore;
  /** Newest segment first, as `loadSegments` gives them. */
  readonly segments: readonly Segment[];
  readonly order: 'oldest' | 'newest';
  /** Only records past this seq. */
  readonly after?: number | undefined;
  /** About how many are wanted, if known: the size of the first page. Later pages are larger. */
  readonly wanted?: number | undefined;
}

/** The records of a run, including those of the runs it was forked from. */
export async function* readEntries(options: ReadEntriesOptions): AsyncGenerator<Entry> {
  for await (const { entries } of readPages(options)) yield* entries;
}

/** The same, page by page. */
export async function* readPages(options: ReadEntriesOptions): AsyncGenerator<RecordPage> {
  const { store, segments, order, after = 0 } = options;
  let limit = Math.min(options.wanted ?? pageSize, pageSize);
  for (const segment of order === 'newest' ? segments : segments.toReversed()) {
    let low = Math.max(segment.after, after);
    let high = segment.upTo;
    while (low < high) {
      const before = high === Number.MAX_SAFE_INTEGER ? undefined : high + 1;
      const page = await store.page({ runId: segment.runId, after: low, before, order, limit });
      yield page;
      const last = page.entries.at(-1);
      if (last === undefined || page.entries.length < limit) break;
      limit = Math.min(2 * limit, pageSize);
      if (order === 'oldest') low = last.seq;
      else high = last.seq - 1;
    }
  }
}

/** The record at a seq, from the run of the lineage that holds it. */
export async function entryAt(
  store: CheckedStore,
  segments: readonly Segment[],
  seq: number,
): Promise<Entry | undefined> {
  const segment = segments.find(({ after, upTo }) => seq > after && seq <= upTo);
  if (segment === undefined) return undefined;
  const [entry] = await store.records({
    runId: segment.runId,
    after: seq - 1,
    before: seq + 1,
    order: 'oldest',
    limit: 1,
  });
  return entry;
}
