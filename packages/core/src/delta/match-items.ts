import type { Run } from './delta.ts';

/** A list described by runs of another list, and how many items that saves. */
export interface MatchedItems {
  readonly runs: readonly Run[];
  readonly copied: number;
}

/** Two lists, and how many items they share at the start and the end. */
export interface ListPair {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly prefix: number;
  readonly suffix: number;
}

/** A run costs about as much as a few numbers. */
const shortestRun = 4;

/**
 * Describes a list by runs of the old one and new items, for items that were moved, dropped or inserted.
 *
 * Compares items by reference, in one pass, with an index of only the old items that moved.
 */
export function matchItems({ before, after, prefix, suffix }: ListPair): MatchedItems {
  const places = new Map<unknown, number>();
  for (let index = prefix; index < before.length - suffix; index += 1) {
    if (!places.has(before[index])) places.set(before[index], index);
  }
  const runs: { from: number; count: number; items: unknown[] }[] = [{ from: 0, count: prefix, items: [] }];
  let copied = prefix;
  const end = after.length - suffix;
  for (let at = prefix; at < end; ) {
    const from = places.get(after[at]);
    let count = 0;
    while (from !== undefined && at + count < end && from + count < before.length) {
      if (!Object.is(before[from + count], after[at + count])) break;
      count += 1;
    }
    if (from === undefined || !isWorthNaming(after[at], count)) {
      runs.at(-1)?.items.push(after[at]);
      at += 1;
    } else {
      runs.push({ from, count, items: [] });
      copied += count;
      at += count;
    }
  }
  if (suffix > 0) runs.push({ from: before.length - suffix, count: suffix, items: [] });
  return {
    runs: runs.filter((run) => run.count + run.items.length > 0).map(({ from, count, items }) => [from, count, items]),
    copied: copied + suffix,
  };
}

function isWorthNaming(item: unknown, count: number): boolean {
  return count >= shortestRun || (count > 0 && typeof item === 'object' && item !== null);
}
