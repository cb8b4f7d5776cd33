import { shutdownOnSignal } from '../env/shutdown-on-signal.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../value/check/check-options.ts';
import type { Takeover } from './lease/takeover.ts';
import { workUntil } from './lease/work-loop.ts';
import type { EngineParts } from './parts.ts';

/**
 * Options of `work`.
 *
 * @example
 * ```ts
 * const worker = engine.work({ concurrency: 32, drain: '10s', signals: true });
 * ```
 */
export interface WorkOptions {
  /** How many runs execute here at the same time, those that wake or are started here included. Default: 16. */
  readonly concurrency?: number | undefined;
  /** How long steps in flight may take to finish once the worker is stopped. Default: 10 seconds. */
  readonly drain?: Duration | undefined;
  /** Stops the worker when SIGTERM or SIGINT arrives. A second signal ends the process at once. Default: false. */
  readonly signals?: boolean | undefined;
  /** Stops the worker when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each run that this worker has taken over from a dead one, for logs and metrics.
   *
   * @example
   * ```ts
   * engine.work({ onTakeover: ({ runId, workerId }) => console.warn(`${workerId} died: ${runId} continues here`) });
   * ```
   */
  readonly onTakeover?: ((takeover: Takeover) => void) | undefined;
}

/**
 * A worker, from `engine.work()`: it executes runs until it is stopped.
 *
 * @example
 * ```ts
 * const worker = engine.work({ signals: true });
 * await worker.done; // after SIGTERM, once the steps in flight have finished
 * await engine.close();
 * ```
 */
export interface Worker extends AsyncDisposable {
  /** Resolves when the worker has stopped: after `stop()`, a signal, or the engine's `close()`. */
  readonly done: Promise<void>;
  /**
   * Begins no more runs, waits until the steps in flight have finished or `drain` has passed, and releases the rest.
   * Returns `done`. Afterwards the engine executes nothing until you call `work`, `recover`, `start` or `resume`.
   */
  stop(): Promise<void>;
}

const known: KnownOptions<WorkOptions> = {
  concurrency: true,
  drain: true,
  signals: true,
  signal: true,
  onTakeover: true,
};

/** A worker of an engine. */
export class WorkerHandle implements Worker {
  readonly done: Promise<void>;
  readonly #stopping = new AbortController();

  /** @throws HOLDFAST_INVALID_OPTION */
  constructor(parts: EngineParts, options: WorkOptions = {}) {
    const { signals, signal, ...rest } = checkWorkOptions(options);
    const stop = (): void => this.#stopping.abort();
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    const ignoreSignals = signals ? shutdownOnSignal(() => this.stop()) : undefined;
    const working = workUntil(parts, { ...rest, signal: this.#stopping.signal });
    this.done = working.finally(() => {
      signal?.removeEventListener('abort', stop);
      ignoreSignals?.();
    });
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.done;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

interface CheckedOptions {
  readonly concurrency: number;
  readonly drainMs: number;
  readonly signals: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onTakeover: WorkOptions['onTakeover'];
}

/** @throws HOLDFAST_INVALID_OPTION */
function checkWorkOptions(options: WorkOptions): CheckedOptions {
  const given = checkOptions('work()', options, known);
  const { concurrency = 16, drain = '10s', signals = false, signal, onTakeover } = given;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw invalidOption('concurrency', 'concurrency must be a whole number, 1 or more.');
  if (signal !== undefined && !((signal as unknown) instanceof AbortSignal))
    throw invalidOption('signal', 'The signal of work() must be an AbortSignal.');
  if (onTakeover !== undefined && typeof onTakeover !== 'function')
    throw invalidOption('onTakeover', 'onTakeover must be a function.');
  return { concurrency, drainMs: durationMs(drain, 'drain'), signals, signal, onTakeover };
}
