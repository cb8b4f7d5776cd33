import { deferred } from '../../async/deferred.ts';
import type { Env } from '../../env/env.ts';
import { settledWithin } from '../../time/settled-within.ts';
import type { EngineParts } from '../parts.ts';
import { recoverBesides } from './recover.ts';
import { Sweep } from './sweep.ts';
import type { Takeover } from './takeover.ts';

interface LoopOptions {
  readonly concurrency: number;
  readonly drainMs: number;
  readonly signal: AbortSignal;
  readonly onTakeover?: ((takeover: Takeover) => void) | undefined;
}

/** Pause after this many hints in a row that led to nothing: other workers' commits are hints too. */
const freeHints = 4;
const shortestPauseMs = 10;
const longestPauseMs = 250;

/** Recovers, then claims and executes runs until the signal aborts, then drains. */
export async function workUntil(parts: EngineParts, options: LoopOptions): Promise<void> {
  const { concurrency, drainMs, signal } = options;
  const { env, worker } = parts;
  const sweep = new Sweep(parts);
  let hint = nextHint(parts);
  let vainHints = 0;
  worker.beginLoop(concurrency, () => hint.give());
  // At once: a claim or a sweep may still be in flight.
  const onAbort = (): void => worker.beginDrain();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const recovering = signal.aborted ? undefined : recoverBesides(parts);
  while (!signal.aborted) {
    hint = nextHint(parts);
    let waitMs = backstopMs(parts);
    try {
      sweep.begin();
      const { room } = worker.admission;
      const { count, nextDueAt, takeovers } = await worker.executeDue(room);
      for (const takeover of takeovers) tell(env, options, takeover);
      if (count > 0 || room === 0) vainHints = 0;
      // At full capacity, the end of a run is the hint.
      if (nextDueAt !== null && count < room) waitMs = Math.min(waitMs, spreadMs(env, nextDueAt - env.clock.now()));
    } catch (error) {
      env.warn(`Runs could not be claimed: ${String(error)}`);
    }
    await pauseAfter(env, vainHints, signal);
    const isHinted = await settledWithin(hint.given, { clock: env.clock, ms: waitMs, signal });
    vainHints = isHinted ? vainHints + 1 : 0;
    hint.stop();
  }
  await Promise.all([sweep.ended(), recovering]);
  await worker.drain(drainMs);
}

/** What a listener throws never stops the loop. */
function tell(env: Env, { onTakeover }: LoopOptions, takeover: Takeover): void {
  try {
    onTakeover?.(takeover);
  } catch (error) {
    env.warn(`onTakeover failed: ${String(error)}`);
  }
}

/**
 * How often to ask without a hint, because hints can be lost. Less than a lease: whoever claims a run and dies is noticed
 * before that lease ends, and asked for when it does. Jittered, so that workers that start together do not ask together.
 */
function backstopMs({ leaseMs, env }: EngineParts): number {
  return leaseMs * (0.5 + 0.2 * env.random());
}

/**
 * How long to wait for a due time that other workers know too, such as the end of a lease: a little longer in each, so that
 * not all of them ask at that moment. In proportion, so that what is due soon is hardly late.
 */
function spreadMs(env: Env, leftMs: number): number {
  return Math.max(leftMs, 0) * (1 + 0.05 * env.random());
}

interface NextHint {
  readonly given: Promise<void>;
  readonly give: () => void;
  readonly stop: () => void;
}

/** The next hint that there may be a run to claim. Ignores the runs that this worker executes. */
function nextHint({ changes, worker }: EngineParts): NextHint {
  const { promise, resolve } = deferred();
  const stop = changes.listen((runId, _head, notDue) => {
    if (notDue) return;
    if (runId === undefined || worker.whenDone(runId) === undefined) resolve();
  });
  return { given: promise, give: resolve, stop };
}

async function pauseAfter(env: Env, vainHints: number, signal: AbortSignal): Promise<void> {
  if (vainHints <= freeHints) return;
  const ms = Math.min(shortestPauseMs * 2 ** (vainHints - freeHints - 1), longestPauseMs);
  await env.clock.sleep(ms, signal).catch(() => undefined);
}
