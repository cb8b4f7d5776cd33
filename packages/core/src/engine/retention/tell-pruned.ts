import type { Env } from '../../env/env.ts';
import type { PruneReport } from '../../journal/prune-policy.ts';

interface Pruned {
  readonly runId?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly by?: string | undefined;
}

/** Tells whoever observes the engine what a prune has dropped. Returns the report. */
export function tellPruned({ observe }: Env, { runId, dryRun, by }: Pruned, report: PruneReport): PruneReport {
  const { pruned, bytes } = report;
  if (observe === undefined || dryRun === true || pruned === 0) return report;
  const where = runId === undefined ? 'all runs' : `run "${runId}"`;
  const message = `Pruned ${pruned} checkpoints (${bytes} bytes) of ${where}.`;
  observe.event({ type: 'prune', level: 'info', message, runId, pruned, bytes, by });
  return report;
}
