import { type CallMemo, type CallResult, callMemo, type RunState, type TaskMemo, taskMemo } from '../run-state.ts';
import type { TypedCall } from './call-type.ts';

/** What a record says about the call that it belongs to. */
interface CallNote {
  readonly after?: number | undefined;
  readonly seen?: number | undefined;
  readonly seq: number;
}

/** Whether the journal has something of the call that the body must not lose: a result, an intent, an open wait. */
export function isRecorded({ result, intent, wait }: CallMemo): boolean {
  return result !== undefined || intent !== undefined || wait !== undefined;
}

/** Notes when a call was made, if this is its first record. */
export function noteCall(state: RunState, made: TypedCall, { after, seen, seq }: CallNote): CallMemo {
  const memo = taskMemo(state, made);
  const call = callMemo(state, made);
  if (seen !== undefined) delayUnseen(memo, seen, seq);
  if (isRecorded(call)) return call;
  call.after = after ?? memo.results;
  call.isOptional = undefined;
  return call;
}

/**
 * A body sees what had come from outside when it began. What came later is in the journal before the records that the
 * body still wrote, but has to be replayed after them: otherwise a race would have another winner.
 */
export function delayUnseen(memo: TaskMemo, seen: number, seq: number): void {
  if (memo.woken <= seen) return;
  for (const call of memo.calls.values()) {
    const { result } = call;
    if (result === undefined || !cameAfter(result, seen)) continue;
    // Between this record and the next, in the order in which they came.
    call.result = { ...result, order: seq + (result.order - seen) / (seq - seen + 1) };
  }
}

/** Whether a result came from outside, and after a body that began at this head. */
export function cameAfter({ isExternal, order }: CallResult, began: number): boolean {
  return isExternal === true && Math.floor(order) > began;
}

/** After a failed attempt the body may go another way, but an effect that has happened must not be repeated. */
export function allowAnotherWay({ calls }: TaskMemo): void {
  for (const call of calls.values()) {
    const isDone = call.result !== undefined && call.result.error === undefined;
    if (call.intent === undefined && !(call.isOnce === true && isDone)) call.isOptional = true;
    else call.isOfFailedAttempt = true;
  }
}

/** Forgets results. The body made some calls because of them, and may not make those again. */
export function forgetResults(memo: TaskMemo, isForgotten: (result: CallResult) => boolean): void {
  const { calls } = memo;
  const forgotten = [...calls].filter(([, { result }]) => result !== undefined && isForgotten(result));
  if (forgotten.length === 0) return;
  const first = Math.min(...forgotten.map(([, { result }]) => result?.order ?? 0));
  const before = [...calls.values()].filter(({ result }) => result !== undefined && result.order < first).length;
  for (const [key] of forgotten) calls.delete(key);
  memo.results -= forgotten.length;
  for (const call of calls.values()) if (call.after > before) call.isOptional = true;
}

/** Removes a call that the code no longer has. */
export function dropCall(memo: TaskMemo, key: string): void {
  const order = memo.calls.get(key)?.result?.order;
  memo.calls.delete(key);
  memo.backoffs.delete(key);
  if (order === undefined) return;
  memo.results -= 1;
  const before = [...memo.calls.values()].filter(({ result }) => result !== undefined && result.order < order).length;
  for (const call of memo.calls.values()) if (call.after > before) call.after -= 1;
}
