import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { deleteRun } from '../../journal/delete-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
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

/**
 * Deletes a run that has ended, and then its child runs, unless someone has written to it since: a turn may have begun.
 *
 * @throws HOLDFAST_CONFLICT
 */
export async function deleteEndedRun(parts: EngineParts, { runId, head }: RunHeader, by: string): Promise<void> {
  if (!(await deleteRun(parts, runId, { head }))) return;
  await deleteChildRuns(parts, runId, new Set([runId]));
  tellDeleted(parts.env, runId, by);
}

/** Tells whoever observes the engine. */
export function tellDeleted({ observe }: Env, runId: string, by: string | undefined): void {
  const who = by === undefined ? '' : ` by ${by}`;
  observe?.event({ type: 'delete', level: 'info', message: `Run "${runId}" was deleted${who}.`, runId, by });
}

async function deleteWithChildRuns(parts: EngineParts, runId: string, seen: Set<string>): Promise<boolean> {
  seen.add(runId);
  const header = await ifReadable(() => parts.store.header(runId));
  if (header !== 'unreadable' && header?.kind === 'graph' && !hasEnded(header))
    await ifReadable(() => cancelRun(parts, runId, { reason: 'the run was deleted' }));
  if (header !== undefined) await deleteChildRuns(parts, runId, seen);
  // Also if the run does not exist: an interrupted delete may have left something behind.
  return deleteRun(parts, runId);
}

async function deleteChildRuns(parts: EngineParts, parentId: string, seen: Set<string>): Promise<void> {
  // A child that cannot be read is deleted by its own id.
  for await (const { runId } of allRuns(parts.store, { parentId }, { onCorrupt: () => {} }))
    if (!seen.has(runId)) await deleteWithChildRuns(parts, runId, seen);
}

/** A run that cannot be read cannot be cancelled either: nobody can continue it, and it is deleted as it is. */
async function ifReadable<T>(call: () => Promise<T>): Promise<T | 'unreadable'> {
  try {
    return await call();
  } catch (error) {
    if (!HoldfastError.is(error) || !unreadable.has(error.code)) throw error;
    return 'unreadable';
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
