import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { hasWork } from '../../runner/plan/readiness.ts';
import { leaveAloneMs } from '../../runner/run-executor.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';

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

/** Whether it is the keys that are missing here, and not anything of the run. */
export function isKeyFailure(error: unknown): boolean {
  return HoldfastError.is(error, 'HOLDFAST_MISSING_KEY') || HoldfastError.is(error, 'HOLDFAST_WRONG_KEY');
}

/**
 * Leaves a run that cannot be read here to those who have its keys. It takes a commit, for the same reason as below:
 * what a process without keys does must not look like a run that kills whoever takes it up.
 */
export async function leaveUnread(
  { store, env }: { readonly store: CheckedStore; readonly env: Env },
  { runId, head, fence, wakeAt }: RunHeader,
): Promise<boolean> {
  const at = env.clock.now();
  const outcome = await store.commit({
    runId,
    writer: { by: 'owner', fence, release: true },
    expect: head,
    entries: [{ kind: 'timer', at, payload: {} }],
    // A suspended run stays suspended.
    header: wakeAt === null ? {} : { wakeAt: at + leaveAloneMs },
  });
  return outcome.ok;
}

/**
 * Lets go of a run that a failure of the store has kept from going on; false when that cannot be done this way. It takes
 * a commit, because runs that are claimed again and again without one are taken for those whose executor dies.
 */
export async function leaveRun(
  { store, env, id }: { readonly store: CheckedStore; readonly env: Env; readonly id: string },
  runId: string,
): Promise<boolean> {
  try {
    const header = await store.header(runId);
    if (header?.worker !== id) return true;
    const loaded = await loadRun(store, header);
    const at = env.clock.now();
    if (!hasWork(loaded.state, at)) return false;
    const owned = new RunLease({ store, env, header, ...loaded });
    await owned.commit([{ kind: 'timer', at, payload: {} }], { leaveUntil: at + pauseMs });
    return true;
  } catch {
    return false;
  }
}
