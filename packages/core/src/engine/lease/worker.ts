import type { Awaitable } from '../../async/awaitable.ts';
import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { type LoadedRun, loadRun } from '../../runner/fold/load-run.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import type { ChildRuns } from '../../runner/host.ts';
import { nextWakeAt } from '../../runner/plan/readiness.ts';
import { RunExecutor } from '../../runner/run-executor.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { ClaimRequest } from '../../store/contract/lease.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { settledWithin } from '../../time/settled-within.ts';
import type { Changes } from '../changes.ts';
import type { LiveBus } from '../query/live-bus.ts';
import type { Registry } from '../registry.ts';
import { Heartbeat } from './heartbeat.ts';
import { isKeyFailure, isStoreFailure, leaveRun, leaveUnread } from './leave-run.ts';
import { notBefore } from './not-before.ts';
import { OrphanedLeases } from './orphaned-leases.ts';
import { WakeTimers } from './wake-timers.ts';

interface WorkerOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly id: string;
  readonly leaseMs: number;
  readonly registry: Registry;
  readonly changes: Changes;
  readonly live: LiveBus;
  readonly childRuns: () => ChildRuns;
}

/** A run as it was left by this process. */
export interface LeftRun {
  readonly state: RunState;
  readonly graph: CompiledGraph;
  /** It ended here, and the store has it so: nothing has to be read to know. */
  readonly hasEnded: boolean;
}

/** A run that this process executes. */
interface Held {
  readonly executor: RunExecutor;
  readonly owned: RunLease;
  readonly graph: CompiledGraph;
  /** Resolves when it is let go of, never rejects. */
  done: Promise<LeftRun> | undefined;
  isLooking: boolean;
}

/** What is known of a run that is taken. */
interface Adoption {
  readonly known?: LoadedRun | undefined;
  /** Its time, which by the store's clock has come. */
  readonly dueAt?: number | undefined;
}

/** Executes runs under this process's lease: takes them, keeps the lease alive, and lets go of them. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #held = new Map<string, Held>();
  readonly #failures = new Map<string, HoldfastError>();
  readonly #heartbeat: Heartbeat;
  readonly #wakeTimers: WakeTimers;
  readonly #orphanedLeases: OrphanedLeases;
  /** Runs that somebody may have written to. */
  #toLookAt: Held[] = [];
  #closed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { env, store, id, leaseMs, changes } = options;
    this.#heartbeat = new Heartbeat({ env, store, id, leaseMs, onBeat: () => this.#lookAtAll() });
    this.#wakeTimers = new WakeTimers(env, (runId) => this.claimDueOne(runId));
    this.#orphanedLeases = new OrphanedLeases({
      env,
      store,
      id,
      isHeld: (runId, fence) => this.#held.get(runId)?.owned.fence === fence,
    });
    changes.listen((runId) => this.#hint(runId));
  }

  get id(): string {
    return this.#options.id;
  }

  /** How long it is held to be alive after it has died. */
  get leaseMs(): number {
    return this.#options.leaseMs;
  }

  /** How many runs are executed here. */
  get size(): number {
    return this.#held.size;
  }

  /** Resolves when the run is no longer executed here; undefined when it is not. */
  whenDone(runId: string): Promise<LeftRun> | undefined {
    const held = this.#held.get(runId);
    // One that is just being begun has given no promise yet.
    return held && (held.done ?? Promise.resolve().then(() => held.done as Promise<LeftRun>));
  }

  /** Why the run could not be gone on with here, told once. */
  takeFailure(runId: string): HoldfastError | undefined {
    const failure = this.#failures.get(runId);
    this.#failures.delete(runId);
    return failure;
  }

  /** Resolves when this worker's lease is good for a while. */
  alive(): Awaitable<void> {
    return this.#heartbeat.alive();
  }

  /** Takes the lease of the run, if nobody holds it; whoever gets it executes or releases it. */
  take(runId: string): Promise<readonly RunHeader[]> {
    return this.#claim({ type: 'one', worker: this.id, leaseMs: this.leaseMs, runId, ifDue: false });
  }

  async #claim(request: ClaimRequest): Promise<readonly RunHeader[]> {
    const { claimed } = await this.#options.store.claim(request);
    return claimed.map(({ header }) => header);
  }

  /** Takes the run and executes it, if nobody holds it and its code is here. */
  async claimOne(runId: string): Promise<boolean> {
    if (this.#closed || this.#held.has(runId)) return false;
    return this.taking(async () => {
      const claimed = await this.take(runId);
      await Promise.all(claimed.map(async (header) => this.adopt(header)));
      return claimed.length > 0;
    });
  }

  /** Does something that takes runs for this worker; what it took is let go of should it fail. */
  taking<T>(take: () => Promise<T>): Promise<T> {
    return this.#orphanedLeases.taking(take);
  }

  /** As `claimOne`, but only when the run's time has come. */
  async claimDueOne(runId: string): Promise<boolean> {
    const { store, env, registry } = this.#options;
    if (this.#closed) return false;
    const header = await store.header(runId);
    if (header === undefined || header.wakeAt === null || header.wakeAt > env.clock.now()) return false;
    if (registry.find(header) === undefined) return false;
    return this.claimOne(runId);
  }

  /**
   * Goes on with the run here if its time has come. One that is just being let go of here may not have seen what it was
   * woken for: it is looked at again.
   */
  async goOn(runId: string): Promise<void> {
    const executing = this.whenDone(runId);
    if (executing === undefined) await this.claimDueOne(runId);
    else executing.then(() => this.claimDueOne(runId)).catch(() => undefined);
  }

  /** Takes due runs of the code that is here, up to a number. */
  async claimDue(limit: number): Promise<number> {
    const graphs = this.#options.registry.names();
    if (this.#closed || limit <= 0 || graphs.length === 0) return 0;
    return this.taking(async () => {
      const claimed = await this.#claim({
        type: 'due',
        worker: this.id,
        leaseMs: this.leaseMs,
        graphs,
        limit,
        takeover: true,
      });
      await Promise.all(claimed.map(async (header) => this.adopt(header, { dueAt: header.wakeAt ?? 0 })));
      return claimed.length;
    });
  }

  /** Wakes the run here when its time comes. */
  remind(runId: string, wakeAt: number): void {
    if (!this.#closed) this.#wakeTimers.add(runId, wakeAt);
  }

  /** Executes a run whose lease this worker has. */
  adopt(header: RunHeader, { known, dueAt }: Adoption = {}): Awaitable<void> {
    const graph = this.#options.registry.find(header);
    if (graph === undefined || this.#closed) return this.release(header.runId);
    return known === undefined ? this.#load(header, graph, dueAt) : this.#hold(header, graph, known);
  }

  async #load(header: RunHeader, graph: CompiledGraph, dueAt: number | undefined): Promise<void> {
    let loaded: LoadedRun;
    try {
      loaded = await loadRun(this.#options.store, header);
    } catch (error) {
      await this.#giveUp(header, error);
      return;
    }
    this.#hold(header, graph, loaded, dueAt);
  }

  #hold(header: RunHeader, graph: CompiledGraph, { state, meter }: LoadedRun, dueAt = 0): void {
    const { store, live } = this.#options;
    const env = notBefore(this.#options.env, dueAt);
    const owned = new RunLease({ store, env, header, state, meter });
    const executor = new RunExecutor({
      env,
      graph,
      owned,
      tags: header.tags,
      parentId: header.parentId,
      claims: header.claims,
      childRuns: this.#options.childRuns(),
      live: live.of(owned),
    });
    const held: Held = { executor, owned, graph, done: undefined, isLooking: false };
    // Who lost the run and is given it again still executes it the way it was.
    this.#held.get(header.runId)?.executor.abort(heldAnew(header.runId));
    this.#held.set(header.runId, held);
    this.#heartbeat.start();
    held.done = this.#execute(header.runId, held);
  }

  async #execute(runId: string, held: Held): Promise<LeftRun> {
    const { executor, owned, graph } = held;
    let failure: unknown;
    try {
      await executor.execute();
      // What was put aside before it was stopped has happened: whoever goes on must not do it again.
      if (!owned.released && owned.lost === undefined) await owned.flush();
    } catch (error) {
      failure = error;
      if (owned.lost === undefined || !HoldfastError.is(error, 'HOLDFAST_LEASE_LOST')) this.#remember(runId, error);
    }
    try {
      if (!owned.released && !owned.isTaken && this.#held.get(runId) === held) {
        await this.#letGo(runId, owned.lost ?? failure);
      }
    } catch (error) {
      this.#orphanedLeases.suspect();
      this.#remember(runId, error);
    }
    if (this.#held.get(runId) === held) this.#held.delete(runId);
    if (this.#held.size === 0) this.#heartbeat.pause();
    const wakeAt = owned.lost === undefined ? nextWakeAt(owned.state) : undefined;
    if (wakeAt !== undefined && !this.#closed) this.#wakeTimers.add(runId, wakeAt);
    this.#options.changes.tell(runId);
    const { state, released, lost } = owned;
    return { state, graph, hasEnded: state.end !== undefined && released && lost === undefined };
  }

  async #giveUp(header: RunHeader, error: unknown): Promise<void> {
    this.#remember(header.runId, error);
    if (isKeyFailure(error) && (await leaveUnread(this.#options, header))) return;
    await this.#letGo(header.runId, error);
  }

  async #letGo(runId: string, failure: unknown): Promise<void> {
    const isLeft = isStoreFailure(failure) && (await leaveRun(this.#options, runId));
    if (!isLeft) await this.release(runId);
  }

  #remember(runId: string, error: unknown): void {
    if (this.#closed) return;
    const { env } = this.#options;
    const failure = HoldfastError.is(error)
      ? error
      : holdfastError('HOLDFAST_LEASE_LOST', `Run ${runId} could not be gone on with: ${String(error)}`, {
          cause: error,
        });
    this.#failures.set(runId, failure);
    env.warn(`Run ${runId} was let go of. ${failure.message}`);
  }

  /** Lets go of a run without writing to it. */
  async release(runId: string): Promise<void> {
    const { store, id } = this.#options;
    await store.claim({ type: 'release', worker: id, runIds: [runId] });
  }

  #hint(runId: string | undefined): void {
    if (runId === undefined) this.#lookAtAll();
    else this.#look(this.#held.get(runId));
  }

  #lookAtAll(): void {
    for (const held of this.#held.values()) this.#look(held);
  }

  /** Most hints come of this worker's own commits: only one that nothing follows upon is worth a look. */
  #look(held: Held | undefined): void {
    if (held === undefined || held.isLooking) return;
    held.isLooking = true;
    this.#toLookAt.push(held);
    if (this.#toLookAt.length === 1) this.#options.env.nextTick(() => this.#lookNow());
  }

  #lookNow(): void {
    const all = this.#toLookAt;
    this.#toLookAt = [];
    for (const held of all) {
      held.isLooking = false;
      if (held.owned.isBusy || held.owned.released) continue;
      held.executor.refresh().catch((error: unknown) => {
        held.executor.abort(
          HoldfastError.is(error)
            ? error
            : holdfastError('HOLDFAST_LEASE_LOST', `The run cannot be read: ${String(error)}`),
        );
      });
    }
  }

  /** Starts nothing more; resolves when what runs has ended, at the latest after so long, when the rest is aborted. */
  async drain(drainMs: number): Promise<void> {
    for (const { executor } of this.#held.values()) executor.stop();
    const all = Promise.all(Array.from(this.#held.values(), async ({ done }) => done));
    const { clock } = this.#options.env;
    if (await settledWithin(all, { clock, ms: drainMs })) return;
    const reason = holdfastError('HOLDFAST_LEASE_LOST', 'The engine is closing; the run goes on elsewhere.');
    for (const { executor } of this.#held.values()) executor.abort(reason);
    await all;
  }

  /** Ends everything; the runs are free at once. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wakeTimers.close();
    this.#orphanedLeases.close();
    await this.drain(0);
    await this.#heartbeat.close();
  }
}

function heldAnew(runId: string): HoldfastError {
  return holdfastError('HOLDFAST_LEASE_LOST', `Run ${runId} was lost to another process and is taken up here anew.`, {
    details: { runId },
  });
}
