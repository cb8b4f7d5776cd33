import { loadRun } from '../../runner/fold/load-run.ts';
import { OwnedRun } from '../../runner/run-lease.ts';
import type { EngineParts } from '../parts.ts';
import { askToCancel } from './external-writes.ts';

/**
 * Ends a run: whoever executes it aborts what runs; where nobody does, it is ended here. No user code is needed for that
 * and none runs.
 */
export async function cancelRun(parts: EngineParts, run: string, reason: string | undefined): Promise<void> {
  const { store, env, worker, changes, family } = parts;
  if (!(await askToCancel(parts, run, reason))) return;
  changes.tell(run);
  const executing = worker.whenDone(run);
  if (executing !== undefined) await executing;
  await worker.taking(async () => {
    const [header] = await worker.take(run);
    if (header === undefined) return;
    const loaded = await loadRun(store, header);
    const { state } = loaded;
    if (state.end !== undefined) return worker.release(run);
    const owned = new OwnedRun({ store, env, header, ...loaded });
    await family.cancelChildren(state);
    const payload = { status: 'cancelled', reason: state.cancel?.reason } as const;
    await owned.commit([{ kind: 'run-end', at: env.clock.now(), payload }], { release: true });
    if (header.parent !== null && state.wakes !== undefined) await family.wake(header.parent, state.wakes, run);
  });
  changes.tell(run);
}
