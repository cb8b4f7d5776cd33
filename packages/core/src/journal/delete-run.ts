import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { checkRunId } from '../value/id.ts';
import { allRuns } from './all-runs.ts';
import { retryOvertaken, trimWhole } from './trim-whole.ts';

/** Deletes a run: wholly, or, while forks stand on it, all that lies above the highest of them. False when there was none. */
export async function deleteRun(store: CheckedStore, id: string): Promise<boolean> {
  const runId = checkRunId(id);
  return retryOvertaken(runId, async () => {
    const header = await store.header(runId);
    if (header === undefined) {
      const isDeleted = await deleteDraft(store, runId);
      await removeForgotten(store);
      return isDeleted;
    }
    const bases = await forkBasesOf(store, runId);
    const how = bases.size === 0 ? { remove: true } : { hide: { keepTo: Math.max(...bases) } };
    const trimmed = await trimWhole(store, { runId, ...how });
    if (!trimmed.ok) return undefined;
    if (how.remove) await removeUnused(store, header);
    return true;
  });
}

/** What an import or a promotion that never came to its end has left. */
async function deleteDraft(store: CheckedStore, runId: string): Promise<boolean> {
  const [found] = await store.runs({ runIds: [runId], order: 'oldest', limit: 1 });
  return found?.draft === true && (await trimWhole(store, { runId, remove: true })).ok;
}

/** The seqs of the run that forks stand on. */
export async function forkBasesOf(store: CheckedStore, runId: string): Promise<ReadonlySet<number>> {
  const bases = new Set<number>();
  // Hidden forks count: their own forks read through them.
  for (const hidden of [false, true]) {
    for await (const { forkedAt } of allRuns(store, { forkOf: runId, hidden }))
      if (forkedAt !== null) bases.add(forkedAt.seq);
  }
  return bases;
}

/**
 * Removes deleted runs that nothing stands on: left by a process that died after it had removed the last fork, and before
 * it came to its base.
 */
export async function removeForgotten(store: CheckedStore): Promise<void> {
  for await (const header of allRuns(store, { hidden: true })) {
    // A half of a run may be somebody's who is still bringing the rest.
    if (header.draft === true) continue;
    const removed = await trimWhole(store, { runId: header.runId, remove: true });
    if (removed.ok) await removeUnused(store, header);
  }
}

/** The rest of a deleted run goes with the last fork that stood on it. */
async function removeUnused(store: CheckedStore, { forkedAt }: RunHeader): Promise<void> {
  if (forkedAt === null) return;
  const [below] = await store.runs({ runIds: [forkedAt.runId], order: 'oldest', limit: 1 });
  if (!below?.hidden) return;
  const trimmed = await trimWhole(store, { runId: below.runId, remove: true });
  if (trimmed.ok) await removeUnused(store, below);
}
