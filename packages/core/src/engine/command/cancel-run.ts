import type { EngineParts } from '../parts.ts';
import { askToCancel } from './external-writes.ts';

/**
 * Ends a run. Whoever executes it aborts what runs; a run that nobody executes is ended here. That needs no user code, and
 * none runs.
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
