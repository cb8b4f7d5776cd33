import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { isCorruption } from '../store/is-corruption.ts';
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
  let wasCorrupt = false;
  const isDeleted = await trimByDecision<boolean>(context, runId, async (tries) => {
    removed = undefined;
    const header = await anyHeader(store, runId).catch((error: unknown) => {
      // Only what forks may need is kept of it, and that is all of it.
      if (tries > 0 || !isCorruption(error)) throw error;
      wasCorrupt = true;
      return 'corrupt' as const;
    });
    if (header === undefined) return { done: false };
    if (header === 'corrupt') return { trim: { remove: true }, answer: () => true };
    if (header.head !== (head ?? header.head)) return { done: false };
    const wasThere = !header.hidden || header.draft === true;
    if (tries > 0) forkPoints = await forkPointsOf(store, runId, { skipsCorrupt: true });
    if (forkPoints.size === 0 && tries < 2) {
      removed = header;
      return { trim: { remove: true, head }, answer: () => wasThere };
    }
    // A draft that forks need belongs to the process that copies it.
    if (header.draft === true) return { done: false };
    // Refused again: a run that cannot be read may be a fork of it, and begin anywhere.
    const keepTo = tries < 2 ? Math.max(...forkPoints) : header.head;
    return { trim: { hide: { keepTo }, head }, answer: () => wasThere };
  });
  if (removed !== undefined) await removeUnusedBases(context, removed);
  if ((!isDeleted && head === undefined) || wasCorrupt) await removeUnusedRuns(context);
  return isDeleted;
}

/** The seqs of the run that forks begin at. @throws HOLDFAST_CORRUPT unless corrupt forks are skipped */
export async function forkPointsOf(
  store: CheckedStore,
  runId: string,
  { skipsCorrupt = false }: { readonly skipsCorrupt?: boolean | undefined } = {},
): Promise<ReadonlySet<number>> {
  const seqs = new Set<number>();
  const options = skipsCorrupt ? { onCorrupt: () => {} } : {};
  // Hidden forks count: their own forks read through them.
  for (const hidden of [false, true]) {
    for await (const { forkedAt } of allRuns(store, { forkOf: runId, hidden }, options))
      if (forkedAt !== null) seqs.add(forkedAt.seq);
  }
  return seqs;
}

/** Removes deleted runs that no fork needs any more: a process may have died before it got to them. */
export async function removeUnusedRuns(context: TrimContext): Promise<void> {
  for await (const header of allRuns(context.store, { hidden: true }, { onCorrupt: () => {} })) {
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
    const [base] = await context.store.runs(
      { runIds: [forkedAt.runId], order: 'oldest', limit: 1 },
      // Whether it was deleted cannot be told.
      { onCorrupt: () => {} },
    );
    if (base === undefined || !base.hidden) return;
    const trimmed = await trimRun(context, { runId: base.runId, remove: true });
    if (!trimmed.ok) return;
    ({ forkedAt } = base);
  }
}
