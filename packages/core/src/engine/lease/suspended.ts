import type { HeaderState, RunHeader } from '../../store/contract/run.ts';

/** Whether nobody executes the run until it is resumed or answered: a fork, or an imported run. */
export function isSuspended({ status }: Pick<RunHeader, 'status'>): boolean {
  return status === 'suspended';
}

/** The header changes of an external write after which the run continues. Ends a suspension. */
export function dueNow(header: RunHeader, at: number): Partial<HeaderState> {
  return isSuspended(header) ? { status: 'pending', wakeAt: at } : { wakeAt: at };
}

/** The header changes of an external write that gives the run work. A suspended run stays suspended. */
export function dueUnlessSuspended(header: RunHeader, at: number): Partial<HeaderState> {
  return isSuspended(header) ? {} : { wakeAt: at };
}
