import type { Awaitable } from '../../async/awaitable.ts';
import type { Env } from '../../env/env.ts';
import type { CheckedStore } from '../../store/checked-store.ts';

interface HeartbeatOptions {
  readonly env: Env;
  readonly store: CheckedStore;
  readonly id: string;
  readonly leaseMs: number;
  /** Called with every beat: the backstop for hints that were lost. */
  readonly onBeat: () => void;
}

/** Keeps a worker's lease alive while it has runs. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #lastMs = Number.NEGATIVE_INFINITY;
  #beating: Promise<void> | undefined;
  #loop: AbortController | undefined;
  #hasBeaten = false;
  #isIdle = true;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Resolves when the lease is good for at least half of its time: mostly it is. */
  alive(): Awaitable<void> {
    const { env, leaseMs } = this.#options;
    return env.monotonicMs() - this.#lastMs < leaseMs / 2 ? undefined : this.#beat();
  }

  /** Resolves when the lease is good for all of its time. */
  renew(): Promise<void> {
    return this.#beat();
  }

  /** Beats until paused. */
  start(): void {
    this.#isIdle = false;
    if (this.#loop !== undefined) return;
    const loop = new AbortController();
    this.#loop = loop;
    void this.#run(loop.signal);
  }

  /** Beats no more, from the next beat on: runs come and go faster than timers are made. */
  pause(): void {
    this.#isIdle = true;
  }

  /** Lets go of all that the worker held. */
  async close(): Promise<void> {
    this.#loop?.abort();
    this.#loop = undefined;
    await this.#beating;
    const { store, id } = this.#options;
    if (this.#hasBeaten) await store.claim({ type: 'release', worker: id });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { env, leaseMs, onBeat } = this.#options;
    while (!signal.aborted) {
      try {
        await env.clock.sleep(leaseMs / 3, signal);
        if (this.#isIdle) {
          this.#loop = undefined;
          return;
        }
        await this.#beat();
        onBeat();
      } catch (error) {
        // A beat that was missed is not the end: the lease lasts for three, and the fence keeps us safe after that.
        if (!signal.aborted) env.warn(`The lease of worker ${this.#options.id} could not be renewed: ${String(error)}`);
      }
    }
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#send().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #send(): Promise<void> {
    const { env, store, id, leaseMs } = this.#options;
    const before = env.monotonicMs();
    await store.claim({ type: 'heartbeat', worker: id, leaseMs });
    this.#hasBeaten = true;
    this.#lastMs = before;
  }
}
