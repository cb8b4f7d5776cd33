import type { Awaitable } from '../../async/awaitable.ts';
import { validated } from '../../channel/validated.ts';
import type { TaskRun } from './task-run.ts';

/** The result of a validation in a task. A schema that never settles fails the task: it must not stall the run. */
export function validatedIn<T>({ host }: TaskRun, what: string, checking: Awaitable<T>): Promise<T> {
  return validated({ clock: host.env.clock, validationMs: host.owned.bounds.validationMs }, what, checking);
}
