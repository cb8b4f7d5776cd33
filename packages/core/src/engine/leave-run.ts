import type { Env } from '../env/env.ts';
import { HoldfastError } from '../errors/holdfast-error.ts';
import { loadRun } from '../runner/load-run.ts';
import { OwnedRun } from '../runner/owned-run.ts';
import { hasWork } from '../runner/readiness.ts';
import type { CheckedStore } from '../store/checked-store.ts';

/** The store has just failed: the run is not taken up again at once. */
const pauseMs = 200;

const failures: ReadonlySet<string> = new Set([
  'HOLDFAST_IN_DOUBT',
  'HOLDFAST_STORE_FAILED',
  'HOLDFAST_STORE_POISONED',
]);

/** Whether it is the store that failed, and not what was asked of it. */
export function isStoreFailure(error: unknown): boolean {
  return HoldfastError.is(error) && failures.has(error.code);
}

/**
 * Lets go of a run that a failure of the store has kept from going on; false when that cannot be done this way. It takes
 * a commit, because runs that are claimed again and again without one are taken for those whose executor dies.
 */
export async function leaveRun(
  { store, env, id }: { readonly store: CheckedStore; readonly env: Env; readonly id: string },
  run: string,
): Promise<boolean> {
  try {
    const header = await store.header(run);
    if (header?.worker !== id) return true;
    const loaded = await loadRun(store, header);
    const at = env.clock.now();
    if (!hasWork(loaded.state, at)) return false;
    const owned = new OwnedRun({ store, env, header, ...loaded });
    await owned.commit([{ kind: 'timer', at, payload: {} }], { leaveUntil: at + pauseMs });
    return true;
  } catch {
    return false;
  }
}
