import type { CallEntry } from '../fold/call/call-entry.ts';
import type { TaskMemo } from '../fold/run-state.ts';
import { took } from './call/call-child.ts';
import type { TaskEnd, TaskRun } from './task-run.ts';

/** The records of an attempt that parks. Without a new wait it needs a record too, or its task would stay ready. */
export function parkEntries(
  task: TaskRun,
  { waits, children }: TaskEnd & { readonly type: 'parked' },
  at: number,
): readonly CallEntry[] {
  const { seen, spec, state, began } = task;
  const entries = waits.map(({ after, ...wait }): CallEntry => {
    const payload = seen === undefined ? wait : { ...wait, seen };
    return { kind: 'wait', at, payload, call: { after, began } };
  });
  const dropped = task.droppedCalls(at);
  const isIdle = waits.length === 0 && wouldRunAgain(state.open.get(spec.key));
  if (!isIdle && dropped.length === 0) return entries;
  const taken = isIdle ? children.flatMap((child) => took(child, spec.node.name).took ?? []) : [];
  const payload = {
    ...spec.place,
    again: true,
    seen,
    ...(taken.length > 0 && { took: taken }),
    ...(dropped.length > 0 && { dropped }),
  };
  return [...entries, { kind: 'wait', at, payload }];
}

/** Whether the task would run again, or miss its wake-up, without a park record. */
function wouldRunAgain(memo: TaskMemo | undefined): boolean {
  if (memo === undefined) return false;
  if (memo.parked !== undefined || memo.retryAt !== undefined) return true;
  // A new attempt keeps waiting for an effect with an unknown outcome.
  return [...memo.calls.values()].some(({ wait }) => wait !== undefined);
}
