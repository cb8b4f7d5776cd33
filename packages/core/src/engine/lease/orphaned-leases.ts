import type { Env } from '../../env/env.ts';
import { allRuns } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';

interface OrphanedLeasesOptions {
  readonly env: Env;
  readonly store: CheckedStore;
  /** The worker's. */
  readonly id: string;
  /** Whether the worker executes the run under this fence: one that it lost and was given again is another. */
  readonly isHeld: (runId: string, fence: number) => boolean;
}

const unfinished = ['pending', 'running', 'waiting', 'suspended', 'failed'] as const;
/** The store has just failed: it is not asked again at once. */
const pauseMs = 200;

/**
 * Finds runs that the store gave to this worker and that the worker knows nothing of, because the answer was lost or
 * letting go of them failed. While the worker lives, nobody else would take them.
 */
export class OrphanedLeases {
  readonly #options: OrphanedLeasesOptions;
  readonly #takings = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  #isSuspected = false;
  #isLooking = false;

  constructor(options: OrphanedLeasesOptions) {
    this.#options = options;
  }

  /** Does something that takes runs; should it fail, nobody knows whether it has. */
  async taking<T>(take: () => Promise<T>): Promise<T> {
    const taking = take();
    this.#takings.add(taking);
    try {
      return await taking;
    } catch (error) {
      this.suspect();
      throw error;
    } finally {
      this.#takings.delete(taking);
    }
  }

  /** There may be such runs: they are looked for until the store has answered. */
  suspect(): void {
    this.#isSuspected = true;
    if (!this.#isLooking) void this.#look();
  }

  close(): void {
    this.#closed.abort();
  }

  async #look(): Promise<void> {
    const { env } = this.#options;
    this.#isLooking = true;
    while (this.#isSuspected && !this.#closed.signal.aborted) {
      try {
        await env.clock.sleep(pauseMs, this.#closed.signal);
        this.#isSuspected = false;
        await this.#letGo();
      } catch {
        this.#isSuspected = true;
      }
    }
    this.#isLooking = false;
  }

  async #letGo(): Promise<void> {
    const { store, id, isHeld } = this.#options;
    const found: { readonly runId: string; readonly fence: number }[] = [];
    for await (const { runId, worker, fence } of allRuns(store, { status: unfinished })) {
      if (worker === id && !isHeld(runId, fence)) found.push({ runId, fence });
    }
    // What was on its way while we looked is no orphan; what is asked for from now on cannot be one of these.
    await Promise.allSettled(this.#takings);
    for (const { runId, fence } of found) {
      const header = await store.header(runId);
      if (header?.worker !== id || header.fence !== fence || isHeld(runId, fence)) continue;
      await store.claim({ type: 'release', worker: id, runIds: [runId] });
    }
  }
}
