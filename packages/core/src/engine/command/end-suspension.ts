import { hasWork, nextWakeAt } from '../../runner/plan/readiness.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { wakeParent } from './parent/wake-parent.ts';

/**
 * Lets a suspended run continue: here if it has something to do and its code is here, otherwise in a worker. It waits
 * again for whatever it was waiting for, also for a `resume` if it was paused.
 */
export async function endSuspension({ env, worker, registry, executes }: EngineParts, runId: string): Promise<void> {
  if (worker.whenDone(runId) !== undefined) return;
  const endReservation = executes ? worker.admission.request() : undefined;
  await worker
    .lease(runId, async (lease, header) => {
      const at = env.clock.now();
      const isHere = endReservation !== undefined && registry.has(header);
      const works = hasWork(lease.state, at);
      const options = works ? { ...(!isHere && { releaseUntil: at }) } : { release: true };
      const timer = { kind: 'timer', at, payload: {} } as const;
      await lease.commit([timer], options);
      if (lease.released) {
        if (isHere) worker.wakeUps.park(lease.state, nextWakeAt(lease.state));
        return;
      }
      // It has work, or got some just now: a child that ended meanwhile.
      if (isHere) return worker.execute(lease, { ...header, claims: 0 });
      // By a commit, which tells the workers.
      await lease.commit([timer], { releaseUntil: at });
    })
    .finally(endReservation);
}

/**
 * The children of a suspended run are suspended too if they came with it: they continue with it. A child that has ended
 * since, or before it was imported, is reported to its parent. `seen` ends the walk if an imported run waits for itself.
 */
export async function endSuspensionOfChildren(
  parts: EngineParts,
  header: RunHeader,
  seen: Set<string> = new Set(),
): Promise<void> {
  const { runId: parentId, waits } = header;
  seen.add(parentId);
  for (const { kind, id } of waits) {
    if (kind !== 'child' || seen.has(id)) continue;
    const child = await parts.store.header(id);
    if (child === undefined || hasEnded(child)) {
      await wakeParent(parts, { parentId, wait: id, child: id });
      continue;
    }
    await endSuspensionOfChildren(parts, child, seen);
    if (isSuspended(child)) await endSuspension(parts, id);
  }
}
