import { HoldfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { deleteRun } from '../../journal/delete-run.ts';
import { checkRunId } from '../../value/id.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { cancelRun } from './cancel-run.ts';

/**
 * Deletes a run and its child runs. An unfinished graph run is cancelled first, so that nobody continues it.
 *
 * @throws HOLDFAST_CONFLICT
 */
export function deleteGraphRun(parts: EngineParts, id: string): Promise<boolean> {
  return deleteWithChildRuns(parts, checkRunId(id), new Set());
}

async function deleteWithChildRuns(parts: EngineParts, runId: string, seen: Set<string>): Promise<boolean> {
  seen.add(runId);
  const header = await parts.store.header(runId);
  if (header?.kind === 'graph' && !hasEnded(header)) await cancelIfReadable(parts, runId);
  if (header !== undefined) {
    for await (const child of allRuns(parts.store, { parentId: runId }))
      if (!seen.has(child.runId)) await deleteWithChildRuns(parts, child.runId, seen);
  }
  // Also if the run does not exist: an interrupted delete may have left something behind.
  return deleteRun(parts, runId);
}

/** A run that cannot be read cannot be cancelled either: nobody can continue it, and it is deleted as it is. */
async function cancelIfReadable(parts: EngineParts, runId: string): Promise<void> {
  try {
    await cancelRun(parts, runId, { reason: 'the run was deleted' });
  } catch (error) {
    if (!HoldfastError.is(error) || !unreadable.has(error.code)) throw error;
  }
}

const unreadable: ReadonlySet<string> = new Set([
  'HOLDFAST_CORRUPT',
  'HOLDFAST_MISSING_KEY',
  'HOLDFAST_STORE_UNSAFE',
  'HOLDFAST_TOO_DEEP',
  'HOLDFAST_TOO_LARGE',
  'HOLDFAST_UNKNOWN_FORMAT',
  'HOLDFAST_WRONG_KEY',
]);
