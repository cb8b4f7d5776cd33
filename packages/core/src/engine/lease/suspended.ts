import { hasWork, nextWakeAt } from '../../runner/plan/readiness.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { wakeParent } from '../command/wake-parent.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';

/** Whether nobody has asked a fork, or a run that was imported, to go on yet. */
export function isHeld({ kind, status, wakeAt }: RunHeader): boolean {
  return kind === 'graph' && status === 'pending' && wakeAt === null;
}

/**
 * Lets a held run go on: here if it has something to do and its code is here, otherwise in a worker. One that waits for a
 * time waits for it again; that takes a commit, because what is claimed again and again without one is taken for a run
 * whose executor dies.
 */
export async function endHold({ env, worker, registry, executes }: EngineParts, runId: string): Promise<void> {
  if (worker.whenDone(runId) !== undefined) return;
  await worker.lease(runId, async (lease, header) => {
    const at = env.clock.now();
    const isHere = executes && registry.find(header) !== undefined;
    const works = hasWork(lease.state, at);
    if (works && isHere) return worker.execute(lease, header);
    await lease.commit([{ kind: 'timer', at, payload: {} }], works ? { releaseUntil: at } : { release: true });
    const wakeAt = nextWakeAt(lease.state);
    if (isHere && wakeAt !== undefined) worker.wakeAt(runId, wakeAt);
  });
}

/**
 * An imported run has its children with it, held as it may be itself: whoever lets it go on lets them, and lets it know of
 * those that ended before it was told.
 */
export async function endHoldOfChildren(parts: EngineParts, header: RunHeader): Promise<void> {
  const { runId: parentId, waits } = header;
  for (const { kind, id } of waits) {
    if (kind !== 'child') continue;
    const child = await parts.store.header(id);
    const isOver = child === undefined || hasEnded(child);
    if (isOver && isHeld(header)) await wakeParent(parts, { parentId, wait: id, child: id });
    if (isOver) continue;
    await endHoldOfChildren(parts, child);
    if (isHeld(child)) await endHold(parts, id);
  }
}
