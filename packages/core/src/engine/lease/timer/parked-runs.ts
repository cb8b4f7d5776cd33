import type { Env } from '../../../env/env.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { backoffMs } from '../../../time/backoff.ts';

/** Looks this long after a hint: what was written here has been continued by then, and many hints lead to one look. */
const lookAfterMs = 1_000;
const longestPauseMs = 30_000;
/** Remembers so many runs. `recover` and `work` continue the others. */
const mostParked = 1_000;
/** The largest page of headers. */
const pageSize = 250;

interface ParkedRunsOptions {
  readonly env: Env;
  readonly store: Pick<CheckedStore, 'runs'>;
  /** When a run is due, after another process may have written to it. */
  readonly onWakeAt: (run: Pick<RunHeader, 'runId' | 'head'>, wakeAt: number) => void;
}

/**
 * The runs that wait after they executed here. If another process makes one due, by an answer or a message, they continue
 * here, without `recover` or `work`. Reads nothing unless the store hints at a commit.
 */
export class ParkedRuns {
  readonly #options: ParkedRunsOptions;
  /** The heads at which the runs parked. */
  readonly #parked = new Map<string, number>();
  readonly #hinted = new Set<string>();
  #looking: AbortController | undefined;
  #isClosed = false;

  constructor(options: ParkedRunsOptions) {
    this.#options = options;
  }

  /** The run waits, and was written to last at this head. */
  add(runId: string, head: number): void {
    if (this.#isClosed) return;
    this.#parked.delete(runId);
    this.#parked.set(runId, head);
    const [oldest] = this.#parked.keys();
    if (this.#parked.size > mostParked && oldest !== undefined) this.delete(oldest);
  }

  /** The run executes here again. */
  delete(runId: string): void {
    this.#parked.delete(runId);
    this.#hinted.delete(runId);
  }

  clear(): void {
    this.#parked.clear();
    this.#hinted.clear();
    this.#looking?.abort();
    this.#looking = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  /** The run may have been written to, up to this head. Undefined: any run. */
  changed(runId: string | undefined, head: number): void {
    if (runId === undefined) for (const each of this.#parked.keys()) this.#hinted.add(each);
    else if (head > (this.#parked.get(runId) ?? Number.POSITIVE_INFINITY)) this.#hinted.add(runId);
    if (this.#hinted.size === 0 || this.#looking !== undefined) return;
    this.#looking = new AbortController();
    void this.#look(this.#looking);
  }

  async #look(looking: AbortController): Promise<void> {
    const { env } = this.#options;
    const { signal } = looking;
    for (let failures = 0; this.#hinted.size > 0 && !signal.aborted; ) {
      const { random } = env;
      const pause = { attempt: failures, backoffMs: lookAfterMs, maxBackoffMs: longestPauseMs, factor: 2, random };
      const ms = failures === 0 ? lookAfterMs : backoffMs(pause);
      await env.clock.sleep(ms, signal, { background: true }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#readHinted(signal);
        failures = 0;
      } catch {
        failures += 1;
      }
    }
    if (this.#looking === looking) this.#looking = undefined;
  }

  async #readHinted(signal: AbortSignal): Promise<void> {
    const { store, onWakeAt } = this.#options;
    while (this.#hinted.size > 0 && !signal.aborted) {
      const runIds = [...this.#hinted].slice(0, pageSize);
      // Before the read: a hint that comes during it is not lost.
      for (const runId of runIds) this.#hinted.delete(runId);
      try {
        const headers = await store.runs({ runIds, order: 'oldest', limit: pageSize }, { onCorrupt: 'warn' });
        for (const header of headers) {
          const { runId, wakeAt } = header;
          if (wakeAt !== null && !signal.aborted && this.#parked.has(runId)) onWakeAt(header, wakeAt);
        }
      } catch (error) {
        for (const runId of runIds) if (this.#parked.has(runId)) this.#hinted.add(runId);
        throw error;
      }
    }
  }
}
