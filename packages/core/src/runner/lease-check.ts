import type { CheckedStore } from '../store/checked-store.ts';
import { leaseLost } from './lost-lease.ts';

/** The lease of the worker itself, which all its runs share. */
export interface WorkerLease {
  /** Whether it may have ended: this process stood still, or did not reach the store for as long as the lease lasts. */
  readonly mayHaveEnded: boolean;
  /** How often it was renewed after it may have ended. */
  readonly lapses: number;
  renew(): Promise<void>;
}

interface LeaseCheckOptions {
  readonly store: CheckedStore;
  readonly worker: WorkerLease;
  /** The worker's lapses when it leased the run. */
  readonly lapses: number;
  readonly fence: number;
}

/** How often to look again before a body begins. */
const mostLooks = 3;

/**
 * Knows whether a run may have been taken over while its worker stood still. The fence refuses whatever such a worker writes;
 * this keeps it from doing again what others have finished.
 */
export class LeaseCheck {
  readonly #options: LeaseCheckOptions;
  #lapses: number;

  constructor(options: LeaseCheckOptions) {
    this.#options = options;
    this.#lapses = options.lapses;
  }

  get mayBeLost(): boolean {
    const { worker } = this.#options;
    return worker.mayHaveEnded || worker.lapses !== this.#lapses;
  }

  /** Renews the worker's lease, and looks whether the run has its fence. @throws HOLDFAST_LEASE_LOST, and the store's errors */
  async confirm(runId: string): Promise<void> {
    const { store, worker, fence } = this.#options;
    // Again if the process stood still meanwhile. With a store that is slower than the lease, the fence has to do.
    for (let looks = 0; this.mayBeLost && looks < mostLooks; looks += 1) {
      if (worker.mayHaveEnded) await worker.renew();
      const { lapses } = worker;
      const found = await store.header(runId);
      if (found === undefined || found.hidden) throw leaseLost(runId, 'missing');
      if (found.fence !== fence) throw leaseLost(runId, 'fence');
      this.#lapses = lapses;
    }
  }
}
