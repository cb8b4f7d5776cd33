import type { Env } from '../../env/env.ts';
import { allRuns } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import { backoffMs } from '../../time/backoff.ts';

interface OrphanedLeasesOptions {
  readonly env: Env;
  readonly store: CheckedStore;
  /** The worker's incarnation. */
  readonly worker: string;
  /** The fence under which the worker knows that it leases the run; undefined if it knows of no lease. */
  readonly knownFence: (runId: string) => number | undefined;
  /** Resolves when the requests for leases that are in flight now have been answered. */
  readonly answered: () => Promise<unknown>;
  /** A run was released: whoever was to execute it does not know. */
  readonly onReleased: (runId: string) => void;
}

/** How long to wait after the store failed, at first and at most. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;
/** When to look again after the store has answered: a request that failed, and is still on its way, may lease a run later. */
const lateLooksMs = [2_000, 10_000, 60_000];

/**
 * Releases runs that the store leased to this worker without the worker knowing, because an answer was lost or a release
 * failed. While the worker is alive, no other worker would lease them.
 */
export class OrphanedLeases {
  readonly #options: OrphanedLeasesOptions;
  readonly #closed = new AbortController();
  #isSuspected = false;
  #isSearching = false;
  #late = new AbortController();

  constructor(options: OrphanedLeasesOptions) {
    this.#options = options;
  }

  /** Searches for orphaned leases until the store has answered. */
  suspect(): void {
    this.#isSuspected = true;
    this.#late.abort();
    if (!this.#isSearching) void this.#search();
  }

  /** Whether leases may be orphaned. */
  get isSearching(): boolean {
    return this.#isSearching;
  }

  /** Releases the leases that are orphaned now. */
  async release(): Promise<void> {
    const { store, worker, knownFence, answered, onReleased } = this.#options;
    const leased: { readonly runId: string; readonly fence: number }[] = [];
    for await (const { runId, fence } of allRuns(store, { worker }, { onCorrupt: 'warn' }))
      leased.push({ runId, fence });
    // Answers that were in flight have arrived by now. Later leases have a higher fence.
    await answered();
    const runIds = leased.filter(({ runId, fence }) => (knownFence(runId) ?? 0) < fence).map(({ runId }) => runId);
    if (runIds.length === 0) return;
    await store.claim({ type: 'release', worker, runIds });
    for (const runId of runIds) onReleased(runId);
  }

  close(): void {
    this.#closed.abort();
    this.#late.abort();
  }

  async #search(): Promise<void> {
    const { signal } = this.#closed;
    this.#isSearching = true;
    const { clock, random } = this.#options.env;
    for (let attempt = 1; this.#isSuspected && !signal.aborted; attempt += 1) {
      try {
        const pause = { attempt, backoffMs: firstPauseMs, maxBackoffMs: longestPauseMs, factor: 2, random };
        await clock.sleep(backoffMs(pause), signal);
        this.#isSuspected = false;
        await this.release();
      } catch {
        this.#isSuspected = true;
      }
    }
    this.#isSearching = false;
    await this.#lookLate();
  }

  /** Until somebody suspects something again. */
  async #lookLate(): Promise<void> {
    this.#late = new AbortController();
    const { signal } = this.#late;
    if (this.#closed.signal.aborted) return;
    try {
      for (const ms of lateLooksMs) {
        await this.#options.env.clock.sleep(ms, signal, { background: true });
        await this.release();
      }
    } catch {
      if (!signal.aborted) this.suspect();
    }
  }
}
