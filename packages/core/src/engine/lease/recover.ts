import type { EngineParts } from '../parts.ts';
import { wakeForgottenParents } from './forgotten-parents.ts';

/** How many runs are claimed together. */
const pageSize = 100;

/** Continues every unfinished run that no worker leases, and resolves with their number. Others follow when they are due. */
export async function recoverRuns(parts: EngineParts): Promise<number> {
  parts.worker.open();
  await wakeForgottenParents(parts);
  const { count, nextDueAt, tookOver } = await claimAll(parts);
  const { env, leases, dueTimer } = parts;
  // After an outage, runs of dead workers were left out.
  const next = tookOver ? nextDueAt : Math.min(nextDueAt ?? Number.POSITIVE_INFINITY, env.clock.now() + leases.beatMs);
  dueTimer.start(next, () => claimAll(parts));
  return count;
}

interface Claimed {
  readonly count: number;
  readonly nextDueAt: number | null;
  readonly tookOver: boolean;
}

async function claimAll({ worker, leases }: EngineParts): Promise<Claimed> {
  for (let sum = 0; ; ) {
    const tookOver = leases.mayTakeOver;
    const { count, nextDueAt } = await worker.executeDue(pageSize);
    sum += count;
    if (count < pageSize) return { count: sum, nextDueAt, tookOver };
  }
}
