interface MergeOptions<T> {
  /** Each in order; gives so many or more past the last one that was taken from it, or fewer at its end. */
  readonly lists: readonly ((after: T | undefined, count: number) => readonly T[])[];
  readonly compare: (a: T, b: T) => number;
  readonly limit: number;
}

/** A list, as far as it was read. */
interface Reading<T> {
  readonly next: (after: T | undefined, count: number) => readonly T[];
  page: readonly T[];
  at: number;
  count: number;
  hasMore: boolean;
}

/** The smallest page that is worth asking for. */
const leastPage = 8;

/** The first of several lists that are in order, together in order; reads little more of each than it takes. */
export function mergeLists<T>({ lists, compare, limit }: MergeOptions<T>): readonly T[] {
  const count = lists.length === 1 ? limit : Math.max(leastPage, Math.ceil(limit / Math.max(1, lists.length)));
  const readings = lists.map((next): Reading<T> => ({ next, page: [], at: 0, count, hasMore: true }));
  const merged: T[] = [];
  while (merged.length < limit) {
    let first: Reading<T> | undefined;
    for (const reading of readings) {
      if (!fill(reading)) continue;
      if (first === undefined || compare(currentOf(reading), currentOf(first)) < 0) first = reading;
    }
    if (first === undefined) return merged;
    merged.push(currentOf(first));
    first.at += 1;
  }
  return merged;
}

/** Whether there is one more in the list. */
function fill<T>(reading: Reading<T>): boolean {
  if (reading.at < reading.page.length) return true;
  if (!reading.hasMore) return false;
  reading.page = reading.next(reading.page.at(-1), reading.count);
  reading.at = 0;
  reading.hasMore = reading.page.length >= reading.count;
  reading.count *= 2;
  return reading.page.length > 0;
}

function currentOf<T>({ page, at }: Reading<T>): T {
  return page[at] as T;
}
