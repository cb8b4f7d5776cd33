import type { EngineParts } from '../parts.ts';
import { wakeForgottenParents } from './forgotten-parents.ts';
import { warnOfMissingGraphs } from './missing-graphs.ts';
import type { DueRuns } from './worker.ts';

/** How many runs are claimed together. */
const pageSize = 100;

/**
 * Continues every unfinished run that no worker leases, and resolves with their number. Others follow when they are due.
 * Warns about runs whose graph is not here.
 */
export async function recoverRuns(parts: EngineParts): Promise<number> {
  parts.worker.admission.open();
  await wakeForgottenParents(parts);
  const { count, nextDueAt } = await claimAll(parts);
  parts.dueTimer.start(nextDueAt, () => claimAll(parts));
  await warnOfMissingGraphs(parts);
  return count;
}

async function claimAll({ worker }: EngineParts): Promise<DueRuns> {
  for (let sum = 0; ; ) {
    const { count, nextDueAt } = await worker.executeDue(pageSize);
    sum += count;
    if (count < pageSize) return { count: sum, nextDueAt };
  }
}
