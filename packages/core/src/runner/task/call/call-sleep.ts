import { holdfastError } from '../../../errors/holdfast-error.ts';
import { deadlineMs, type Until } from '../../../time/deadline.ts';
import { unnamedSleep } from '../../fold/call/call-names.ts';
import { isRecorded } from '../../fold/call/made-calls.ts';
import type { TaskRun } from '../task-run.ts';
import { checkCallName } from './call-name.ts';

/** Sleeps durably: the wake time is in the store, not in memory. */
export function callSleep(task: TaskRun, given: readonly [Until] | readonly [string, Until]): Promise<void> {
  const { name, until } = named(given);
  const at = deadlineMs(until, task.host.env.clock.now());
  const made = task.call('sleep', name);
  const { place, after } = made;
  const memo = task.memo(made);
  const result = task.resultOf(memo);
  if (result !== undefined) return task.replay(result);
  if (memo !== undefined && isRecorded(memo)) return task.raise(undefined);
  return task.raise({ ...place, after, id: task.keyOf(made), kind: 'sleep', until: at });
}

function named(given: readonly unknown[]): { readonly name: string; readonly until: unknown } {
  const [first, second] = given;
  if (given.length < 2) return { name: unnamedSleep, until: checkUntil(first) };
  return { name: checkCallName(first), until: second };
}

/** `sleep('nap')` has a name and no time: "invalid duration" alone would not say so. */
function checkUntil(until: unknown): unknown {
  try {
    deadlineMs(until, 0);
    return until;
  } catch (cause) {
    throw holdfastError(
      'HOLDFAST_INVALID_OPTION',
      `sleep() needs a duration or a Date: sleep('30s'), or sleep('name', '30s'). ${(cause as Error).message}`,
      { cause },
    );
  }
}
