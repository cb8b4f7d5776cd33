import type { Env } from '../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CheckedStore, Claim, ClaimedRun, CommitOutcome } from '../../store/checked-store.ts';
import type { ClaimRequest, GraphName } from '../../store/contract/lease.ts';
import { Patience } from '../../store/live/patience.ts';
import { faultOf } from '../../store/store-fault.ts';
import { workerLabel } from './incarnation.ts';
import { OrphanedLeases } from './orphaned-leases.ts';

interface LeasesOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  /** The worker's incarnation. */
  readonly worker: string;
  readonly leaseMs: number;
  /** A lease that this worker did not know of has ended: nobody executes the run. */
  readonly onOrphan: (runId: string) => void;
}

type Release = ClaimRequest & { readonly type: 'release' };

/** The part of a lease after which it may have ended: the clocks of the store and of this process do not run alike. */
const trusted = 0.9;

/** The leases of one worker: acquires and releases runs, and tracks what the store said about them. */
export class Leases {
  readonly #options: LeasesOptions;
  /** The runs that this worker leases, as far as it knows, and their fences. */
  readonly #fences = new Map<string, number>();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  readonly #orphaned: OrphanedLeases;
  #renewing: Promise<void> | undefined;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #lapses = 0;
  #isTimeKnown = false;
  #isOut = false;
  #noTakeoverUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeasesOptions) {
    this.#options = options;
    const { env, store, worker, onOrphan } = options;
    this.#orphaned = new OrphanedLeases({
      env,
      store,
      worker,
      knownFence: (runId) => this.#fences.get(runId),
      answered: () => Promise.allSettled(this.#inFlight),
      onReleased: onOrphan,
    });
  }

  get worker(): string {
    return this.#options.worker;
  }

  /** How often a lease is renewed: two renewals may fail before it ends. */
  get beatMs(): number {
    return this.#options.leaseMs / 3;
  }

  /**
   * Leases the run unless a live worker does. `ifDue`: only if its wake time has come. `nextDueAt`: when to try again, if a
   * run that no live worker leases could not be leased.
   */
  async acquire(
    runId: string,
    { ifDue }: { readonly ifDue: boolean },
  ): Promise<{ readonly run: ClaimedRun | undefined; readonly nextDueAt: number | null }> {
    const { leaseMs } = this.#options;
    const { claimed, nextDueAt } = await this.#acquire(() => ({
      type: 'one',
      worker: this.worker,
      leaseMs,
      runId,
      ifDue,
      takeover: this.mayTakeOver,
    }));
    return { run: claimed[0], nextDueAt };
  }

  /** Leases due runs of these graphs, the longest due first. `nextDueAt`: when to ask again. */
  async acquireDue(graphs: readonly GraphName[], limit: number): Promise<Claim> {
    const { leaseMs, env } = this.#options;
    let takeover = true;
    const claim = await this.#acquire(() => {
      takeover = this.mayTakeOver;
      return { type: 'due', worker: this.worker, leaseMs, graphs, limit, takeover };
    });
    if (takeover) return claim;
    // The runs of dead workers were left out.
    const nextDueAt = Math.min(claim.nextDueAt ?? Number.POSITIVE_INFINITY, env.clock.now() + this.beatMs);
    return { ...claim, nextDueAt };
  }

  /** Makes a commit that creates a run leased by this worker. @throws HOLDFAST_STORE_CLOSED */
  async create(runId: string, commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
    // After the release of all runs nobody would execute this one, and its takeover would count as a crash.
    if (this.#closed.signal.aborted) throw closing(runId);
    return this.#track(async () => {
      await this.alive();
      const outcome = await commit();
      if (outcome.ok) this.#fences.set(runId, 1);
      return outcome;
    });
  }

  /** Releases a run without writing to it. With a refusal, this worker does not claim it again until its head changes. */
  async release(runId: string, refusal?: Release['refusal']): Promise<void> {
    try {
      await this.#ask({ type: 'release', worker: this.worker, runIds: [runId], refusal });
    } catch (error) {
      this.#orphaned.suspect();
      throw error;
    } finally {
      this.#fences.delete(runId);
    }
  }

  /** The lease has ended: it was released by a commit, or lost. */
  ended(runId: string, fence: number): void {
    if (this.#fences.get(runId) === fence) this.#fences.delete(runId);
  }

  /** Whether this worker, of all workers, should do this now. */
  async isOnDuty(name: string, everyMs: number): Promise<boolean> {
    return (await this.#ask({ type: 'duty', worker: this.worker, name, everyMs })).granted;
  }

  /** Renews the lease if less than half of its time is left. */
  async alive(): Promise<void> {
    const { env, leaseMs } = this.#options;
    if (env.monotonicMs() - this.#renewedMs >= leaseMs / 2) await this.renew();
  }

  /** Whether the lease may have ended: this process stood still, or did not reach the store, for that long. */
  get mayHaveEnded(): boolean {
    const { env, leaseMs } = this.#options;
    return env.monotonicMs() - this.#renewedMs >= leaseMs * trusted;
  }

  /** Grows when the lease was renewed that may have ended before: others may have taken runs over. */
  get lapses(): number {
    return this.#lapses;
  }

  /** Renews the lease. */
  renew(): Promise<void> {
    const { leaseMs } = this.#options;
    this.#renewing ??= this.#ask({ type: 'heartbeat', worker: this.worker, leaseMs })
      .then(() => undefined)
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** Resolves when the store's time is known: our own clock may be a day off. */
  async knowTime(): Promise<void> {
    if (!this.#isTimeKnown) await this.#ask({ type: 'alive', worker: this.worker });
  }

  /** Releases everything at once. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#orphaned.close();
    await Promise.allSettled([...this.#inFlight, this.#renewing]);
    if (Number.isFinite(this.#renewedMs) || this.#fences.size > 0)
      await this.#ask({ type: 'release', worker: this.worker });
  }

  /** After an outage, live workers that have not reconnected yet look dead. */
  get mayTakeOver(): boolean {
    const { store, env } = this.#options;
    if (this.#isOut || store.outage.isWithin(this.beatMs)) return false;
    return env.monotonicMs() >= this.#noTakeoverUntilMs;
  }

  /** Retries transient faults here, not in the store: whether runs may be taken over is decided again each time. */
  async #acquire(request: () => ClaimRequest): Promise<Claim> {
    const { env, leaseMs } = this.#options;
    const patience = new Patience(env, leaseMs, this.#closed.signal);
    for (;;) {
      try {
        // Release what a lost answer leased first: the store does not lease a run twice to one worker.
        if (this.#orphaned.isSearching) await this.#orphaned.release();
        return await this.#track(() => this.#ask(request()));
      } catch (error) {
        if (faultOf(error).transient !== true || !(await patience.waitsAgain())) throw error;
      }
    }
  }

  /** Does something that leases runs to this worker. If it fails, the leases may be orphaned. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    this.#inFlight.add(working);
    try {
      return await working;
    } catch (error) {
      this.#orphaned.suspect();
      throw error;
    } finally {
      this.#inFlight.delete(working);
    }
  }

  async #ask(request: ClaimRequest): Promise<Claim> {
    const { store, env } = this.#options;
    const askedMs = env.monotonicMs();
    try {
      const claim = await store.claim(request);
      this.#answered(askedMs, 'leaseMs' in request);
      for (const { header } of claim.claimed) {
        this.#fences.set(header.runId, header.fence);
        if (header.claims > 0) this.#tellTakeover(header);
      }
      return claim;
    } catch (error) {
      this.#isOut = true;
      throw error;
    }
  }

  #tellTakeover({ runId, claims }: ClaimedRun['header']): void {
    const message = `Run "${runId}" was taken over from a worker that died.`;
    const worker = workerLabel(this.worker);
    this.#options.env.observe?.event({ type: 'takeover', level: 'info', message, runId, worker, crashes: claims });
  }

  #answered(askedMs: number, renews: boolean): void {
    const nowMs = this.#options.env.monotonicMs();
    if (renews && this.mayHaveEnded) this.#lapses += 1;
    if (this.#isOut || nowMs - askedMs >= this.beatMs) this.#noTakeoverUntilMs = nowMs + this.beatMs;
    this.#isOut = false;
    this.#isTimeKnown = true;
    if (renews) this.#renewedMs = askedMs;
  }
}

function closing(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_CLOSED',
    `Run "${runId}" was not started, because the engine is closing. Open it again and start the run there.`,
    { details: { runId } },
  );
}
