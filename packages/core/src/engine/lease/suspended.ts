import type { HeaderState, RunHeader } from '../../store/contract/run.ts';

/** Whether nobody executes the run until it is resumed or answered: a fork, or an imported run. */
export function isSuspended({ status }: Pick<RunHeader, 'status'>): boolean {
  return status === 'suspended';
}

/** What an external write changes in the header of a run that is to continue now; a suspended one no longer is. */
export function dueNow(header: RunHeader, at: number): Partial<HeaderState> {
  return isSuspended(header) ? { status: 'pending', wakeAt: at } : { wakeAt: at };
}

/** What an external write changes in the header of a run that now has something to do; a suspended one stays so. */
export function dueUnlessSuspended(header: RunHeader, at: number): Partial<HeaderState> {
  return isSuspended(header) ? {} : { wakeAt: at };
}
