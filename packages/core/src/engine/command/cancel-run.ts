import { loadRun } from '../../runner/fold/load-run.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { EngineParts } from '../parts.ts';
import { askToCancel } from './external-writes.ts';

/**
 * Ends a run: whoever executes it aborts what runs; where nobody does, it is ended here. No user code is needed for that
 * and none runs.
 */
export async function cancelRun(parts: EngineParts, runId: string, reason: string | undefined): Promise<void> {
  const { store, env, worker, changes, childRuns } = parts;
  if (!(await askToCancel(parts, runId, reason))) return;
  changes.tell(runId);
  const executing = worker.whenDone(runId);
  if (executing !== undefined) await executing;
  await worker.taking(async () => {
    const [header] = await worker.take(runId);
    if (header === undefined) return;
    const loaded = await loadRun(store, header);
    const { state } = loaded;
    if (state.end !== undefined) return worker.release(runId);
    const owned = new RunLease({ store, env, header, ...loaded });
    await childRuns.cancelChildren(state);
    const payload = { status: 'cancelled', reason: state.cancel?.reason } as const;
    await owned.commit([{ kind: 'run-end', at: env.clock.now(), payload }], { release: true });
    if (header.parentId !== null && state.wakes !== undefined)
      await childRuns.wake(header.parentId, state.wakes, runId);
  });
  changes.tell(runId);
}
