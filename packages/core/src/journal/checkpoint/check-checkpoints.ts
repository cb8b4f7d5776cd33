import type { CheckedStore } from '../../store/checked-store.ts';
import { formatCursor } from '../../value/cursor.ts';
import { type Placed, walkSnapshots } from '../walk-snapshots.ts';
import { restoreStates } from './restore-state.ts';
import { lostState, savedHead } from './saved-checkpoint.ts';

/** Restores every checkpoint of a run, hidden or not, once. @throws HOLDFAST_CORRUPT for the first that cannot be read */
export async function checkCheckpoints(store: CheckedStore, runId: string): Promise<void> {
  const own = { runId, after: 0, upTo: Number.MAX_SAFE_INTEGER, floor: 0 };
  let chain: Awaited<ReturnType<typeof restoreStates>> | undefined;
  for await (const placed of walkSnapshots({ store, segments: [own] })) {
    if (savedHead(placed) === undefined) throw unreadable(placed);
    if (chain?.has(formatCursor(runId, placed.snapshot.seq))) continue;
    chain = await restoreStates(store, placed);
    // Every change on the way is applied.
    chain.states(new Set());
  }
}

function unreadable({ runId, snapshot }: Placed): Error {
  return snapshot.ok ? lostState(formatCursor(runId, snapshot.seq)) : snapshot.error;
}
