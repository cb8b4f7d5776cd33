import type { RunDetailsJson } from '@holdfast/server/client';

/** Who has the run, and whether that worker still answers. */
export interface LeaseState {
  readonly worker: string;
  readonly fence: number | undefined;
  readonly isDead: boolean;
  /** How long until the lease ends. Undefined if that is not known, or the death was noticed already. */
  readonly leftMs: number | undefined;
  readonly lengthMs: number | undefined;
}

/** The lease of a run, if a worker has it. */
export function leaseOf({ worker }: RunDetailsJson, _now: number): LeaseState | undefined {
  if (worker === null) return undefined;
  return { worker, fence: undefined, isDead: false, leftMs: undefined, lengthMs: undefined };
}
