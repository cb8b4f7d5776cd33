import { loadRun } from '../../runner/fold/load-run.ts';
import { hasWork, nextWakeAt } from '../../runner/plan/readiness.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { wakeParent } from './wake-parent.ts';

/**
 * Lets a suspended run continue: here if it has something to do and its code is here, otherwise in a worker. It waits
 * again for whatever it was waiting for, also for a `resume` if it was paused.
 */
export async function endSuspension(
  { store, env, worker, registry, executes }: EngineParts,
  runId: string,
): Promise<void> {
  if (worker.whenDone(runId) !== undefined) return;
  await worker.taking(async () => {
    const [header] = await worker.take(runId);
    if (header === undefined) return;
    const owned = new RunLease({ store, env, header, ...(await loadRun(store, header)) });
    const at = env.clock.now();
    const isHere = executes && registry.find(header) !== undefined;
    const works = hasWork(owned.state, at);
    const options = works ? { ...(!isHere && { leaveUntil: at }) } : { release: true };
    await owned.commit([{ kind: 'timer', at, payload: {} }], options);
    if (!isHere) return;
    const after = works ? await store.header(runId) : undefined;
    if (after !== undefined) return worker.adopt(after);
    const wakeAt = nextWakeAt(owned.state);
    if (wakeAt !== undefined) worker.remind(runId, wakeAt);
  });
}

/**
 * The children of a suspended run are suspended too if they came with it: they continue with it. A child that has ended
 * since, or before it was imported, is reported to its parent.
 */
export async function endSuspensionOfChildren(parts: EngineParts, header: RunHeader): Promise<void> {
  const { runId: parentId, waits } = header;
  for (const { kind, id } of waits) {
    if (kind !== 'child') continue;
    const child = await parts.store.header(id);
    if (child === undefined || hasEnded(child)) {
      await wakeParent(parts, { parentId, wait: id, child: id });
      continue;
    }
    await endSuspensionOfChildren(parts, child);
    if (isSuspended(child)) await endSuspension(parts, id);
  }
}
