import { type Cell, readCell } from '../../delta/cell.ts';
import type { Delta } from '../../delta/delta.ts';
import { diffValues } from '../../delta/diff-values.ts';
import type { Write } from '../definition.ts';

/**
 * Merges writes one by one into the whole value and returns the difference. A write that bypasses the reducer makes
 * earlier writes irrelevant, so the reducer does not see those.
 */
export function mergeValues(
  cell: Cell,
  writes: readonly Write[],
  reduce: (previous: unknown, next: unknown) => unknown,
): Delta | undefined {
  const before = readCell(cell);
  const [only] = writes;
  if (only !== undefined && writes.length === 1) {
    const [how, written] = only;
    return diffValues(before, how === 'replace' ? written : reduce(before, written));
  }
  const last = writes.findLastIndex(([how]) => how === 'replace');
  let value = last < 0 ? before : writes[last]?.[1];
  for (const [, next] of writes.slice(last + 1)) value = reduce(value, next);
  return diffValues(before, value);
}

/** Whether one of the writes bypasses the reducer. */
export function hasReplace(writes: readonly Write[]): boolean {
  return writes.some(([how]) => how === 'replace');
}
