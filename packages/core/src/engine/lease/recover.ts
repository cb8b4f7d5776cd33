import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { EngineParts } from '../parts.ts';
import { wakeForgottenParents } from './forgotten-parents.ts';
import { warnOfMissingGraphs } from './missing-graphs.ts';
import type { DueRuns } from './worker.ts';

/** How many runs are claimed together. */
const pageSize = 100;
/** How often parents are looked for that were not told about their child's end. */
const forgottenEveryMs = 30_000;

/**
 * Continues every unfinished run that no worker leases, and resolves with their number. Others follow when they are due.
 * Warns about runs whose graph is not here.
 */
export async function recoverRuns(parts: EngineParts): Promise<number> {
  parts.worker.admission.open();
  await wakeForgottenParents(parts);
  const { count, nextDueAt } = await claimAll(parts);
  const { clock } = parts.env;
  let toldAt = clock.now();
  parts.dueTimer.start(nextDueAt, async () => {
    const now = clock.now();
    if (Math.abs(now - toldAt) >= forgottenEveryMs) {
      toldAt = now;
      // A commit that ended a child may have arrived after its process died.
      await wakeForgottenParents(parts);
    }
    return claimAll(parts);
  });
  await warnOfMissingGraphs(parts);
  return count;
}

/**
 * What `recover` does for a work loop, which claims the runs itself. The loop does not wait for it: it reads as many runs as
 * there are. Never rejects.
 */
export async function recoverBesides(parts: EngineParts): Promise<void> {
  try {
    await wakeForgottenParents(parts);
    await warnOfMissingGraphs(parts);
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_STORE_CLOSED')) parts.env.warn(`Recovering failed: ${String(error)}`);
  }
}

async function claimAll({ worker }: EngineParts): Promise<Pick<DueRuns, 'count' | 'nextDueAt'>> {
  for (let sum = 0; ; ) {
    const { count, nextDueAt } = await worker.executeDue(pageSize);
    sum += count;
    if (count < pageSize) return { count: sum, nextDueAt };
  }
}
