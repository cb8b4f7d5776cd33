import { deferred } from '../../async/deferred.ts';
import type { Env } from '../../env/env.ts';
import { settledWithin } from '../../time/settled-within.ts';
import { checkOptions, invalidOption } from '../../value/check-options.ts';
import type { EngineParts } from '../parts.ts';
import { Sweep } from './sweep.ts';

/** Options of `work`. */
export interface WorkOptions {
  /** How many runs execute here at the same time, those that wake or are started here included. Default: 16. */
  readonly concurrency?: number | undefined;
  /** How long steps in flight may take to finish after the signal. Default: 10 seconds. */
  readonly drainMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Pause after this many hints in a row that led to nothing: other workers' commits are hints too. */
const freeHints = 4;
const shortestPauseMs = 10;
const longestPauseMs = 250;

/** Claims and executes runs until the signal aborts, then drains. */
export async function workUntil(parts: EngineParts, options: WorkOptions): Promise<void> {
  const { concurrency, drainMs, signal } = checkWorkOptions(options);
  const { env, worker } = parts;
  const sweep = new Sweep(parts);
  let hint = nextHint(parts);
  let vainHints = 0;
  worker.beginLoop(concurrency, () => hint.give());
  // At once: a claim or a sweep may still be in flight.
  const onAbort = (): void => worker.beginDrain();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  while (!signal.aborted) {
    hint = nextHint(parts);
    let waitMs = backstopMs(parts);
    try {
      sweep.begin();
      const { room } = worker.admission;
      const { count, nextDueAt } = await worker.executeDue(room);
      if (count > 0 || room === 0) vainHints = 0;
      // At full capacity, the end of a run is the hint.
      if (nextDueAt !== null && count < room) waitMs = Math.min(waitMs, Math.max(nextDueAt - env.clock.now(), 0));
    } catch (error) {
      env.warn(`Runs could not be claimed: ${String(error)}`);
    }
    await pauseAfter(env, vainHints, signal);
    const isHinted = await settledWithin(hint.given, { clock: env.clock, ms: waitMs, signal });
    vainHints = isHinted ? vainHints + 1 : 0;
    hint.stop();
  }
  await sweep.ended();
  await worker.drain(drainMs);
}

/** @throws HOLDFAST_INVALID_OPTION */
function checkWorkOptions(
  options: WorkOptions,
): WorkOptions & { readonly concurrency: number; readonly drainMs: number } {
  const known = { concurrency: true, drainMs: true, signal: true } as const;
  const { concurrency = 16, drainMs = 10_000, signal } = checkOptions('work()', options, known);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw invalidOption('concurrency', 'concurrency must be a whole number, 1 or more.');
  if (!(drainMs >= 0)) throw invalidOption('drainMs', 'drainMs must be a number of milliseconds, 0 or more.');
  if (!((signal as unknown) instanceof AbortSignal))
    throw invalidOption('signal', 'work() needs an AbortSignal that ends it: work({ signal }).');
  return { concurrency, drainMs, signal };
}

/**
 * How often to ask without a hint, because hints can be lost. Less than a lease: whoever claims a run and dies is noticed
 * before that lease ends, and asked for when it does. Jittered, so that workers that start together do not ask together.
 */
function backstopMs({ leaseMs, env }: EngineParts): number {
  return leaseMs * (0.5 + 0.2 * env.random());
}

interface NextHint {
  readonly given: Promise<void>;
  readonly give: () => void;
  readonly stop: () => void;
}

/** The next hint that there may be a run to claim. Ignores the runs that this worker executes. */
function nextHint({ changes, worker }: EngineParts): NextHint {
  const { promise, resolve } = deferred();
  const stop = changes.listen((runId) => {
    if (runId === undefined || worker.whenDone(runId) === undefined) resolve();
  });
  return { given: promise, give: resolve, stop };
}

async function pauseAfter(env: Env, vainHints: number, signal: AbortSignal): Promise<void> {
  if (vainHints <= freeHints) return;
  const ms = Math.min(shortestPauseMs * 2 ** (vainHints - freeHints - 1), longestPauseMs);
  await env.clock.sleep(ms, signal).catch(() => undefined);
}
