import { deferred } from '../../async/deferred.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { settledWithin } from '../../time/settled-within.ts';
import { wakeParent } from '../command/wake-parent.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { RetentionSweep } from '../retention/retention-sweep.ts';
import { isHeld } from './suspended.ts';

/** How a worker works. */
export interface WorkOptions {
  /** Runs at a time; default 16. */
  readonly concurrency?: number | undefined;
  /** How long steps in flight may take to finish after the signal; default 10 s. */
  readonly drainMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Hints may be lost, and wake times come without one. */
const pollMs = 250;
/** Parents whose child ended while its process died are found by looking. */
const sweepMs = 30_000;

/** Claims and executes runs until the signal aborts, then drains. */
export async function workUntil(
  parts: EngineParts,
  { concurrency = 16, drainMs = 10_000, signal }: WorkOptions,
): Promise<void> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'concurrency is a whole number from 1 on.', {
      details: { option: 'concurrency' },
    });
  }
  const { env, worker, changes } = parts;
  const retention = parts.retention && new RetentionSweep(parts, parts.retention);
  let sweptAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const { promise: hinted, resolve: wake } = deferred();
    // What this worker does itself brings no new work until it is done with it.
    const stop = changes.listen((runId) => {
      if (runId === undefined || worker.whenDone(runId) === undefined) wake();
    });
    try {
      if (env.monotonicMs() - sweptAt >= sweepMs) {
        sweptAt = env.monotonicMs();
        await wakeForgottenParents(parts);
        await retention?.slice();
      }
      await worker.claimDue(concurrency - worker.size);
    } catch (error) {
      env.warn(`Runs could not be claimed: ${String(error)}`);
    }
    await settledWithin(hinted, { clock: env.clock, ms: pollMs, signal });
    stop();
  }
  await worker.drain(drainMs);
}

/** Tells parents of children that ended while their process died, or was refused, before it could. */
export async function wakeForgottenParents(parts: EngineParts): Promise<void> {
  for await (const header of allRuns(parts.store, { waits: 'child' })) {
    const { runId: parentId, waits } = header;
    // Who lets it go on lets it know.
    if (isHeld(header)) continue;
    for (const { kind, id } of waits) {
      if (kind !== 'child') continue;
      const child = await parts.store.header(id);
      if (child === undefined || hasEnded(child)) await wakeParent(parts, { parentId, wait: id, child: id });
    }
  }
}

/**
 * Sees to it that unfinished runs which could not be taken now are, when their time comes: those that sleep, and those
 * of a process that has died and whose lease has not ended yet.
 */
export async function remindOfOthers({ store, env, worker, registry }: EngineParts): Promise<void> {
  for await (const header of allRuns(store, { status: ['pending', 'running', 'waiting'] })) {
    const { runId, wakeAt, kind } = header;
    if (
      kind === 'journal' ||
      wakeAt === null ||
      worker.whenDone(runId) !== undefined ||
      registry.find(header) === undefined
    )
      continue;
    const now = env.clock.now();
    if (wakeAt > now) worker.remind(runId, wakeAt);
    else if (header.worker !== null) worker.remind(runId, now + worker.leaseMs);
  }
}
