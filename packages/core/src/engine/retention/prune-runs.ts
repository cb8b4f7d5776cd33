import { allRuns } from '../../journal/all-runs.ts';
import { removeUnusedRuns } from '../../journal/delete-run.ts';
import { nothingPruned, type PrunePolicy, type PruneReport, ruleOf } from '../../journal/prune-policy.ts';
import { nextTick } from '../../journal/trim-run.ts';
import { isMalformed } from '../../store/is-corruption.ts';
import { type PruneContext, pruneById, pruneRun } from './prune-run.ts';

/** Drops old checkpoints of one run or of all runs, except those that forks need. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT */
export async function pruneRuns(context: PruneContext, { runId, ...policy }: PrunePolicy): Promise<PruneReport> {
  if (runId !== undefined) return pruneById(context, runId, policy);
  ruleOf(policy, context.env.clock.now());
  let total = nothingPruned;
  for await (const header of allRuns(context.store, { status: policy.status }, { onCorrupt: 'warn' })) {
    const report = await pruneRun(context, header, policy).catch((error: unknown) => {
      // The others are pruned all the same.
      if (!isMalformed(error)) throw error;
      context.store.warnOnce(error);
      return nothingPruned;
    });
    total = sum(total, report);
    await nextTick(context.env);
  }
  if (policy.dryRun !== true) await removeUnusedRuns(context);
  return total;
}

function sum(a: PruneReport, b: PruneReport): PruneReport {
  return {
    runs: a.runs + b.runs,
    pruned: a.pruned + b.pruned,
    retained: a.retained + b.retained,
    bytes: a.bytes + b.bytes,
    preservedTerminal: [...a.preservedTerminal, ...b.preservedTerminal],
    protectedBy: [...a.protectedBy, ...b.protectedBy],
  };
}
