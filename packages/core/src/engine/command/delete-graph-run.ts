import { allRuns } from '../../journal/all-runs.ts';
import { deleteRun } from '../../journal/delete-run.ts';
import { checkRunId } from '../../value/id.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { cancelRun } from './cancel-run.ts';

/** Deletes a run and its children; one that is not over is cancelled first, so that nobody goes on with it. */
export async function deleteEngineRun(parts: EngineParts, id: string): Promise<boolean> {
  const run = checkRunId(id);
  const header = await parts.store.header(run);
  // A call that a crash broke off may have left something.
  if (header === undefined) return deleteRun(parts.store, run);
  if (!header.loop && !hasEnded(header)) await cancelRun(parts, run, 'it is deleted');
  for await (const child of allRuns(parts.store, { parent: run })) await deleteEngineRun(parts, child.run);
  return deleteRun(parts.store, run);
}
