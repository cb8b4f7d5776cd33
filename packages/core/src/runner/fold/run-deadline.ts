import type { RunSettings } from './payload.ts';
import type { RunState } from './run-state.ts';

/** When a run that begins, or continues, at this time has to have ended. Undefined: it may take as long as it likes. */
export function deadlineOf({ timeoutMs }: RunSettings, at: number): number | undefined {
  return timeoutMs === undefined ? undefined : at + timeoutMs;
}

/** Whether the run has not ended in time. Then it fails, whatever it waits for. */
export function isOverdue({ end, deadline }: Pick<RunState, 'end' | 'deadline'>, now: number): boolean {
  return end === undefined && deadline !== undefined && deadline <= now;
}
