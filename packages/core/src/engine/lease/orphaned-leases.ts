import type { Env } from '../../env/env.ts';
import { allRuns } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';

interface OrphanedLeasesOptions {
  readonly env: Env;
  readonly store: CheckedStore;
  /** The worker's incarnation. */
  readonly worker: string;
  /** The fence under which the worker knows that it leases the run; undefined when it knows of no lease. */
  readonly knownFence: (runId: string) => number | undefined;
  /** Resolves when the requests for leases that are in flight now have been answered. */
  readonly answered: () => Promise<unknown>;
}

/** How long to wait after the store failed. */
const pauseMs = 200;

/**
 * Releases runs that the store leased to this worker and that the worker does not know of, because the answer was lost or
 * a release failed. While the worker is alive, nobody else would lease them.
 */
export class OrphanedLeases {
  readonly #options: OrphanedLeasesOptions;
  readonly #closed = new AbortController();
  #isSuspected = false;
  #isSearching = false;

  constructor(options: OrphanedLeasesOptions) {
    this.#options = options;
  }

  /** There may be some: searches until the store has answered. */
  suspect(): void {
    this.#isSuspected = true;
    if (!this.#isSearching) void this.#search();
  }

  /** Releases those that there are now. */
  async release(): Promise<void> {
    const { store, worker, knownFence, answered } = this.#options;
    const leased: { readonly runId: string; readonly fence: number }[] = [];
    for await (const { runId, fence } of allRuns(store, { worker })) leased.push({ runId, fence });
    // A lease whose answer was on its way is known now. Whatever is leased from now on has a higher fence.
    await answered();
    const runIds = leased.filter(({ runId, fence }) => (knownFence(runId) ?? 0) < fence).map(({ runId }) => runId);
    if (runIds.length > 0) await store.claim({ type: 'release', worker, runIds });
  }

  close(): void {
    this.#closed.abort();
  }

  async #search(): Promise<void> {
    const { signal } = this.#closed;
    this.#isSearching = true;
    while (this.#isSuspected && !signal.aborted) {
      try {
        await this.#options.env.clock.sleep(pauseMs, signal);
        this.#isSuspected = false;
        await this.release();
      } catch {
        this.#isSuspected = true;
      }
    }
    this.#isSearching = false;
  }
}
