import type { Env } from '../../../env/env.ts';
import { workerLabel } from '../incarnation.ts';
import type { Leases } from '../leases.ts';

interface HeartbeatOptions {
  readonly env: Env;
  readonly leases: Leases;
  /** Called with every beat, in case hints were lost. */
  readonly onBeat: () => Promise<void>;
}

/** Keeps a worker's lease alive while it executes runs. An idle worker renews it with its claims. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #loop: AbortController | undefined;
  #isIdle = true;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Beats until paused. */
  start(): void {
    this.#isIdle = false;
    if (this.#loop !== undefined) return;
    this.#loop = new AbortController();
    void this.#run(this.#loop.signal);
  }

  /** Stops at the next beat, so that short runs do not each create a timer. */
  pause(): void {
    this.#isIdle = true;
  }

  close(): void {
    this.#loop?.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { env, leases, onBeat } = this.#options;
    while (!signal.aborted) {
      try {
        await env.clock.sleep(leases.beatMs, signal);
        if (this.#isIdle) break;
        await leases.renew();
        await onBeat();
      } catch (error) {
        // The lease lasts for three beats. After that, the fence prevents stale writes.
        if (!signal.aborted)
          env.warn(`The lease of worker ${workerLabel(leases.worker)} could not be renewed: ${String(error)}`);
      }
    }
    this.#loop = undefined;
  }
}
