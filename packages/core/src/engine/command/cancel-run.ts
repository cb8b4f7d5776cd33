import { allRuns } from '../../journal/all-runs.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { checkBy } from '../../value/check/check-by.ts';
import { checkText } from '../../value/check/check-text.ts';
import { dueNow } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { nothing, writeAsExternal } from './external-write.ts';

/** Why a run is cancelled, and by whom. */
interface CancelReason {
  readonly reason?: string | undefined;
  readonly by?: string | undefined;
}

/**
 * Cancels a run. If a worker executes it, that worker aborts its tasks; otherwise the run ends here. No user code runs.
 */
export async function cancelRun(
  parts: EngineParts,
  runId: string,
  why: CancelReason,
  seen: Set<string> = new Set(),
): Promise<void> {
  const { env, worker, changes, childRuns } = parts;
  seen.add(runId);
  if (!(await askToCancel(parts, runId, why))) return;
  changes.tell(runId);
  const executing = worker.whenDone(runId);
  if (executing !== undefined) await executing;
  await worker.lease(runId, async (lease, { parentId }) => {
    const { state } = lease;
    if (state.end !== undefined) return worker.release(runId);
    await cancelChildren(parts, state, seen);
    const payload = { status: 'cancelled', reason: state.cancel?.reason } as const;
    await lease.commit([{ kind: 'run-end', at: env.clock.now(), payload }], { release: true });
    if (parentId !== null && state.wakes !== undefined) await childRuns.wake(parentId, state.wakes, runId);
  });
  changes.tell(runId);
}

/** Journals the cancellation. False if the run has already ended. */
async function askToCancel(parts: EngineParts, runId: string, { reason, by }: CancelReason): Promise<boolean> {
  let isOpen = true;
  const payload = { ...(reason !== undefined && { reason: checkText('reason', reason) }), ...checkBy(by) };
  await writeAsExternal(parts, runId, (state, { header }) => {
    isOpen = state.end === undefined;
    if (!isOpen || state.cancel !== undefined) return nothing;
    const at = parts.env.clock.now();
    return {
      entries: [{ kind: 'cancel', at, payload }],
      header: dueNow(header, at),
      answer: () => undefined,
    };
  });
  return isOpen;
}

/** Cancels the unfinished children of a run. `seen` ends the walk in a store with parents in a circle. */
export async function cancelChildren(
  parts: EngineParts,
  parent: RunState,
  seen: Set<string> = new Set(),
): Promise<void> {
  const { runId: parentId } = parent;
  seen.add(parentId);
  const reason = parent.cancel?.reason ?? `its parent ${parentId} was cancelled`;
  for await (const { runId, kind } of allRuns(parts.store, { parentId, status: unfinished }, { onCorrupt: 'warn' })) {
    // Only its own code ends a journal run.
    if (kind !== 'journal' && !seen.has(runId)) await cancelRun(parts, runId, { reason }, seen);
  }
}

const unfinished = ['pending', 'running', 'waiting', 'suspended'] as const;
