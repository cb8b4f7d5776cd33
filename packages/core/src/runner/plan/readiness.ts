import { isOverdue } from '../fold/run-deadline.ts';
import type { RunState, TaskMemo } from '../fold/run-state.ts';

/**
 * Whether a task is ready: it has not started (or was interrupted), one of its waits has ended since it parked, or its
 * next attempt is due.
 */
export function isReady(memo: TaskMemo | undefined, now: number): boolean {
  if (memo === undefined) return true;
  const { done, failed, retryAt, parked, woken } = memo;
  if (done !== undefined || failed !== undefined) return false;
  if (retryAt !== undefined) return retryAt <= now;
  const nextTryAt = callRetryAt(memo);
  if (parked === undefined && nextTryAt === undefined) return true;
  return (parked !== undefined && woken > parked) || (nextTryAt !== undefined && nextTryAt <= now);
}

/** When the first of a task's calls is retried. Undefined if none is. */
function callRetryAt({ backoffs }: TaskMemo): number | undefined {
  let first: number | undefined;
  for (const retryAt of backoffs.values()) if (first === undefined || retryAt < first) first = retryAt;
  return first;
}

/** Whether no super-step is left, as in a fork of the last one of a finished run: an empty one would only look like work. */
export function hasNothingToRun({ frontier, joins, open }: RunState): boolean {
  return frontier.length === 0 && joins.size === 0 && open.size === 0;
}

/** Whether an executor would find work now, without external input. */
export function hasWork(state: RunState, now: number): boolean {
  const { end, turns, paused, cancel, waits } = state;
  if (end !== undefined) return end.status === 'completed' && turns.length > 0;
  if (cancel !== undefined || isOverdue(state, now)) return true;
  if (paused !== undefined) return false;
  for (const { until, unchecked } of waits.values()) {
    if (unchecked.length > 0 || (until !== undefined && until <= now)) return true;
  }
  return hasReadyTask(state, now);
}

/** Without the code, the tasks of an open super-step are unknown. But a run parks only when every task has a record. */
function hasReadyTask(state: RunState, now: number): boolean {
  if (state.open.size === 0) return true;
  const memos = [...state.open.values()];
  if (memos.some((memo) => isReady(memo, now))) return true;
  if (memos.some(({ failed }) => failed !== undefined)) return true;
  return tasksOf(state) > memos.length || memos.every(({ done }) => done !== undefined);
}

function tasksOf({ frontier, counts }: RunState): number {
  return frontier.reduce((sum, node) => sum + (counts.get(node) ?? 1), 0);
}

/** Whether anything of the run could be due at some time. */
export function hasTimes({ deadline, waits, open }: RunState): boolean {
  return deadline !== undefined || waits.size > 0 || open.size > 0;
}

/**
 * When an idle run becomes due. Undefined if only external input can wake it. While tasks run, `after` is now: times in
 * the past are what those tasks run for, and must not hide later ones.
 */
export function nextWakeAt(state: RunState, after: number = Number.NEGATIVE_INFINITY): number | undefined {
  if (state.end !== undefined) return undefined;
  let first: number | undefined;
  const consider = (at: number | undefined): void => {
    if (at !== undefined && at > after && (first === undefined || at < first)) first = at;
  };
  consider(state.deadline);
  if (state.paused !== undefined) return first;
  for (const { until } of state.waits.values()) consider(until);
  for (const memo of state.open.values()) {
    if (memo.done !== undefined) continue;
    consider(memo.retryAt);
    memo.backoffs.forEach(consider);
  }
  return first;
}
