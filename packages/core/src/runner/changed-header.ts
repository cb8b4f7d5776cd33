import type { HeaderState } from '../store/contract.ts';

/** What of a header is other than what was written last: unchanged columns are not written again. */
export function changedHeader(
  before: Partial<HeaderState>,
  next: Omit<HeaderState, 'tags'>,
  now: number,
): Partial<HeaderState> {
  const changed: { -readonly [K in keyof HeaderState]?: HeaderState[K] } = {};
  if (next.status !== before.status) changed.status = next.status;
  if (next.step !== before.step) changed.step = next.step;
  if (!sameNames(before.frontier, next.frontier)) changed.frontier = next.frontier;
  if (!(before.waits?.length === 0 && next.waits.length === 0)) changed.waits = next.waits;
  // A run that has something to do is due since some time; since when makes no difference.
  const wasDue = typeof before.wakeAt === 'number' && before.wakeAt <= now;
  const isDue = next.wakeAt !== null && next.wakeAt <= now;
  if (next.wakeAt !== before.wakeAt && !(wasDue && isDue)) changed.wakeAt = next.wakeAt;
  return changed;
}

function sameNames(before: readonly string[] | undefined, next: readonly string[]): boolean {
  return before?.length === next.length && next.every((name, at) => name === before[at]);
}
