import { callKey, type TypedCall } from './call/call-type.ts';
import { forgetResults } from './call/made-calls.ts';
import { type CallResult, callMemo, type OpenWait, type RunState, type TaskMemo, taskMemo } from './run-state.ts';

/**
 * Ends a call: the body gets this result whenever it runs again. `wokenBy` is the external record that makes the task
 * ready again.
 */
export function settleCall(state: RunState, made: TypedCall, result: CallResult, wokenBy?: number): void {
  const call = callMemo(state, made);
  if (call.result === undefined) taskMemo(state, made).results += 1;
  call.result = wokenBy === undefined ? result : { ...result, isExternal: true };
  endBackoff(state, made);
  call.intent = undefined;
  if (call.wait !== undefined) state.waits.delete(call.wait.id);
  call.wait = undefined;
  if (wokenBy !== undefined) taskMemo(state, made).woken = wokenBy;
}

/**
 * The next attempt of a call has started. Until now the task was ready because the backoff had ended. From now on it is
 * ready because the attempt was interrupted, unless a result follows.
 */
export function endBackoff(state: RunState, made: TypedCall): void {
  const memo = taskMemo(state, made);
  if (!memo.backoffs.delete(callKey(made))) return;
  if (memo.parked !== undefined) memo.woken = Math.max(memo.woken, memo.parked + 1);
}

/** A waiting task has started the attempt that was due. From now on only the end of a wait wakes it. */
export function park(memo: TaskMemo, seen: number): void {
  memo.parked = seen;
  memo.retryAt = undefined;
}

/** Drops a due call that its task no longer makes: it must not keep the task ready. */
export function dropBackoff({ backoffs }: TaskMemo, key: string): void {
  backoffs.delete(key);
}

/** Drops the waits of a task that has ended or starts again. An effect with an unknown outcome stays unknown. */
export function withdrawWaits(state: RunState, memo: TaskMemo): void {
  if (state.waits.size === 0) return;
  for (const call of memo.calls.values()) {
    if (call.wait === undefined || call.wait.kind === 'effect') continue;
    state.waits.delete(call.wait.id);
    closeUnmet(state, call.wait);
    call.wait = undefined;
    // If it continues after all, it has to ask again.
    memo.parked = undefined;
  }
}

/**
 * Closes a wait that nothing has met. An answer that comes now must not meet a later question of the same name, and nobody
 * needs the child any more.
 */
export function closeUnmet(state: RunState, { kind, id, place, child }: OpenWait): void {
  if (kind === 'ask') state.asked.set(place.name, { wait: id });
  if (child !== undefined) state.abandoned.add(child);
}

/** Drops the memos of a finished super-step. */
export function closeStep(state: RunState): void {
  if (state.open.size > 0) state.open = new Map();
  if (state.counts.size > 0) state.counts = new Map();
  if (state.waits.size > 0) {
    for (const wait of state.waits.values()) closeUnmet(state, wait);
    state.waits = new Map();
  }
  if (state.endedChildren.size > 0) state.endedChildren = new Set();
  if (state.abandoned.size > 0) state.abandoned = new Set();
  if (state.formerNodes.size > 0) state.formerNodes = new Map();
  state.passedSuperstep = undefined;
}

/** Resets the failures of a task and of its calls, so that it can start again. */
export function forgetFailures(memo: TaskMemo): void {
  if (memo.done !== undefined) return;
  memo.attempts = 0;
  memo.retryAt = undefined;
  memo.failed = undefined;
  for (const [key, call] of memo.calls) {
    if (call.result?.error !== undefined || memo.backoffs.has(key)) memo.parked = undefined;
    call.attempts = 0;
  }
  forgetResults(memo, ({ error }) => error !== undefined);
  memo.backoffs.clear();
}
