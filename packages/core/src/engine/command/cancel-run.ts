import { dueNow } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { nothing, writeAsExternal } from './external-write.ts';

/**
 * Cancels a run. If a worker executes it, that worker aborts its tasks; otherwise the run ends here. No user code runs.
 */
export async function cancelRun(parts: EngineParts, runId: string, reason: string | undefined): Promise<void> {
  const { env, worker, changes, childRuns } = parts;
  if (!(await askToCancel(parts, runId, reason))) return;
  changes.tell(runId);
  const executing = worker.whenDone(runId);
  if (executing !== undefined) await executing;
  await worker.lease(runId, async (lease, { parentId }) => {
    const { state } = lease;
    if (state.end !== undefined) return worker.release(runId);
    await childRuns.cancelChildren(state);
    const payload = { status: 'cancelled', reason: state.cancel?.reason } as const;
    await lease.commit([{ kind: 'run-end', at: env.clock.now(), payload }], { release: true });
    if (parentId !== null && state.wakes !== undefined) await childRuns.wake(parentId, state.wakes, runId);
  });
  changes.tell(runId);
}

/** Journals the cancellation. False if the run has already ended. */
async function askToCancel(parts: EngineParts, runId: string, reason: string | undefined): Promise<boolean> {
  let isOpen = true;
  await writeAsExternal(parts, runId, (state, { header }) => {
    isOpen = state.end === undefined;
    if (!isOpen || state.cancel !== undefined) return nothing;
    const at = parts.env.clock.now();
    return {
      entries: [{ kind: 'cancel', at, payload: reason === undefined ? {} : { reason } }],
      header: dueNow(header, at),
      answer: () => undefined,
    };
  });
  return isOpen;
}
