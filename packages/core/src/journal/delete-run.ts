import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { checkRunId } from '../value/id.ts';
import { allRuns, anyHeader } from './all-runs.ts';
import { type TrimContext, trimByDecision, trimRun } from './trim-run.ts';

/**
 * Deletes a run. While forks need it, the run is hidden and only what lies above the highest fork point goes. False when
 * there was no such run. Deleting again removes what an interrupted delete left behind. With a head, only if the run still has
 * it: nobody has written to it since.
 *
 * @throws HOLDFAST_CONFLICT
 */
export async function deleteRun(
  context: TrimContext,
  id: string,
  { head }: { readonly head?: number | undefined } = {},
): Promise<boolean> {
  const { store } = context;
  const runId = checkRunId(id);
  let removed: RunHeader | undefined;
  // Few runs have forks, and the store refuses to remove one that has: only then are they looked up.
  let forkPoints: ReadonlySet<number> = new Set();
  const isDeleted = await trimByDecision<boolean>(context, runId, async (tries) => {
    removed = undefined;
    const header = await anyHeader(store, runId);
    if (header === undefined || header.head !== (head ?? header.head)) return { done: false };
    const wasThere = !header.hidden || header.draft === true;
    if (tries > 0) forkPoints = await forkPointsOf(store, runId);
    if (forkPoints.size === 0) {
      removed = header;
      return { trim: { remove: true, head }, answer: () => wasThere };
    }
    // A draft that forks need belongs to the process that copies it.
    if (header.draft === true) return { done: false };
    return { trim: { hide: { keepTo: Math.max(...forkPoints) }, head }, answer: () => wasThere };
  });
  if (removed !== undefined) await removeUnusedBases(context, removed);
  if (!isDeleted && head === undefined) await removeUnusedRuns(context);
  return isDeleted;
}

/** The seqs of the run that forks begin at. */
export async function forkPointsOf(store: CheckedStore, runId: string): Promise<ReadonlySet<number>> {
  const seqs = new Set<number>();
  // Hidden forks count: their own forks read through them.
  for (const hidden of [false, true]) {
    for await (const { forkedAt } of allRuns(store, { forkOf: runId, hidden }))
      if (forkedAt !== null) seqs.add(forkedAt.seq);
  }
  return seqs;
}

/** Removes deleted runs that no fork needs any more: a process may have died before it got to them. */
export async function removeUnusedRuns(context: TrimContext): Promise<void> {
  for await (const header of allRuns(context.store, { hidden: true })) {
    // Someone may still be copying the rest of a draft.
    if (header.draft === true) continue;
    const removed = await trimRun(context, { runId: header.runId, remove: true });
    if (removed.ok) await removeUnusedBases(context, header);
  }
}

/** Removes the deleted runs that only this one needed, from the nearest up. */
async function removeUnusedBases(context: TrimContext, removed: RunHeader): Promise<void> {
  const seen = new Set([removed.runId]);
  for (let { forkedAt } = removed; forkedAt !== null && !seen.has(forkedAt.runId); ) {
    seen.add(forkedAt.runId);
    const base = await anyHeader(context.store, forkedAt.runId);
    if (base === undefined || !base.hidden) return;
    const trimmed = await trimRun(context, { runId: base.runId, remove: true });
    if (!trimmed.ok) return;
    ({ forkedAt } = base);
  }
}
