import type { CallPlace } from './payload.ts';
import { type CallResult, callMemo, type RunState, type TaskMemo, taskMemo } from './run-state.ts';

/**
 * Ends a call: whenever the body runs again, it gets this. With `wokenBy`, the record that came from outside, the task
 * has something new to run for.
 */
export function settleCall(state: RunState, place: CallPlace, result: CallResult, wokenBy?: number): void {
  const call = callMemo(state, place);
  call.result = result;
  endBackoff(state, place);
  call.intent = undefined;
  if (call.wait !== undefined) state.waits.delete(call.wait.id);
  call.wait = undefined;
  if (wokenBy !== undefined) taskMemo(state, place).woken = wokenBy;
}

/**
 * The next try of a call has begun. That its time had come was what its task ran for; from now on it is that the try was
 * cut off, should nothing more be heard of it.
 */
export function endBackoff(state: RunState, place: CallPlace): void {
  const call = callMemo(state, place);
  if (call.retryAt === undefined) return;
  call.retryAt = undefined;
  const memo = taskMemo(state, place);
  if (memo.parked !== undefined) memo.woken = Math.max(memo.woken, memo.parked + 1);
}

/** A task that waits has begun the try whose time had come: from now on only the end of a wait wakes it. */
export function park(memo: TaskMemo, seen: number): void {
  memo.parked = seen;
  memo.retryAt = undefined;
}

/** A call whose time had come and that its task no longer makes is nothing to run for. */
export function dropBackoff({ calls }: TaskMemo, key: string): void {
  const call = calls.get(key);
  if (call !== undefined) call.retryAt = undefined;
}

/** A task that is over, or that will begin anew, waits for nothing. An effect of unknown outcome stays unknown. */
export function withdrawWaits(state: RunState, memo: TaskMemo): void {
  if (state.waits.size === 0) return;
  for (const call of memo.calls.values()) {
    if (call.wait === undefined || call.wait.kind === 'effect') continue;
    state.waits.delete(call.wait.id);
    call.wait = undefined;
    // Should it go on after all, it has to ask again.
    memo.parked = undefined;
  }
}

/** The memo of a step is dead weight once the step is over. */
export function closeStep(state: RunState): void {
  if (state.open.size > 0) state.open = new Map();
  if (state.counts.size > 0) state.counts = new Map();
  if (state.waits.size > 0) state.waits = new Map();
  if (state.notes.size > 0) state.notes = new Set();
  if (state.endedChildren.size > 0) state.endedChildren = new Set();
  state.passedSuperstep = undefined;
}

/** Lets a task try again: its failures, and those of its calls, no longer count. */
export function forgetFailures(memo: TaskMemo): void {
  if (memo.done !== undefined) return;
  memo.attempts = 0;
  memo.retryAt = undefined;
  memo.failed = undefined;
  for (const [key, call] of memo.calls) {
    if (call.result?.error !== undefined) memo.calls.delete(key);
    if (call.result?.error !== undefined || call.retryAt !== undefined) memo.parked = undefined;
    call.attempts = 0;
    call.retryAt = undefined;
  }
}
