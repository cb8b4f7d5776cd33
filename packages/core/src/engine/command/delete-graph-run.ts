import { allRuns } from '../../journal/all-runs.ts';
import { deleteRun } from '../../journal/delete-run.ts';
import { checkRunId } from '../../value/id.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { cancelRun } from './cancel-run.ts';

/** Deletes a run and its children; one that is not over is cancelled first, so that nobody goes on with it. */
export async function deleteGraphRun(parts: EngineParts, id: string): Promise<boolean> {
  const runId = checkRunId(id);
  const header = await parts.store.header(runId);
  // A call that a crash broke off may have left something.
  if (header === undefined) return deleteRun(parts.store, runId);
  if (header.kind === 'graph' && !hasEnded(header)) await cancelRun(parts, runId, 'it is deleted');
  for await (const child of allRuns(parts.store, { parentId: runId })) await deleteGraphRun(parts, child.runId);
  return deleteRun(parts.store, runId);
}
