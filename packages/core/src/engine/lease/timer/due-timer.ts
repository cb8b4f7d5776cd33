import type { Env } from '../../../env/env.ts';
import { backoffMs } from '../../../time/backoff.ts';

/**
 * Asks again within this time, whatever is known to fall due: another process, or a commit that arrives late, may have made
 * a run due. Also notices that the clock was set back or the machine slept.
 */
const backstopMs = 30_000;
/** How long to wait after the store failed for the first time; later waits grow up to the backstop. */
const firstRetryMs = 1_000;

type ClaimDue = () => Promise<{ readonly nextDueAt: number | null }>;

/** Claims runs when they fall due: those that sleep, and those of a process that has died, when its lease has ended. */
export class DueTimer {
  readonly #env: Env;
  #stop = new AbortController();
  #isClosed = false;

  constructor(env: Env) {
    this.#env = env;
  }

  /** Starts with the next due time, and replaces an earlier start. */
  start(nextDueAt: number | null, claim: ClaimDue): void {
    this.#stop.abort();
    if (this.#isClosed) return;
    this.#stop = new AbortController();
    void this.#run(nextDueAt, claim, this.#stop.signal);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop.abort();
  }

  async #run(firstDueAt: number | null, claim: ClaimDue, signal: AbortSignal): Promise<void> {
    const { clock } = this.#env;
    let nextDueAt = firstDueAt;
    let failures = 0;
    while (!signal.aborted) {
      const leftMs = nextDueAt === null ? backstopMs : nextDueAt - clock.now();
      try {
        // A run that falls due keeps the process alive. That others may make one due does not.
        await clock.sleep(Math.max(Math.min(leftMs, backstopMs), 1), signal, { background: nextDueAt === null });
      } catch {
        return;
      }
      try {
        nextDueAt = (await claim()).nextDueAt;
        failures = 0;
      } catch {
        failures += 1;
        nextDueAt = clock.now() + this.#pauseMs(failures);
      }
    }
  }

  #pauseMs(attempt: number): number {
    const { random } = this.#env;
    return backoffMs({ attempt, backoffMs: firstRetryMs, maxBackoffMs: backstopMs, factor: 2, random });
  }
}
