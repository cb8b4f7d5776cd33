import type { HeaderState } from '../../store/contract/run.ts';

/** The header as this worker last wrote it. Unknown after an external write. */
export type KnownHeader = { readonly [K in keyof Omit<HeaderState, 'tags'>]?: HeaderState[K] | undefined };

/** The changed fields of a header: unchanged columns are not written again. */
export function changedHeader(before: KnownHeader, next: Omit<HeaderState, 'tags'>, now: number): Partial<HeaderState> {
  const changed: { -readonly [K in keyof HeaderState]?: HeaderState[K] } = {};
  if (next.status !== before.status) changed.status = next.status;
  if (next.superstep !== before.superstep) changed.superstep = next.superstep;
  if (!sameNames(before.frontier, next.frontier)) changed.frontier = next.frontier;
  if (!(before.waits?.length === 0 && next.waits.length === 0)) changed.waits = next.waits;
  // For a run that is already due, the exact wake time makes no difference.
  const wasDue = typeof before.wakeAt === 'number' && before.wakeAt <= now;
  const isDue = next.wakeAt !== null && next.wakeAt <= now;
  if (next.wakeAt !== before.wakeAt && !(wasDue && isDue)) changed.wakeAt = next.wakeAt;
  return changed;
}

/** The header after a commit that has changed it. Written out for speed: every super-step creates one. */
export function writtenHeader(before: KnownHeader, changed: Partial<HeaderState>): KnownHeader {
  return {
    status: changed.status ?? before.status,
    superstep: changed.superstep ?? before.superstep,
    frontier: changed.frontier ?? before.frontier,
    waits: changed.waits ?? before.waits,
    wakeAt: changed.wakeAt === undefined ? before.wakeAt : changed.wakeAt,
  };
}

function sameNames(before: readonly string[] | undefined, next: readonly string[]): boolean {
  return before?.length === next.length && next.every((name, at) => name === before[at]);
}
