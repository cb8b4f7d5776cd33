import type { Env } from '../../env/env.ts';
import { inSpan } from '../../env/observe/in-span.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { storeError } from '../../runner/fold/stored-error.ts';
import type { ChildRuns } from '../../runner/host.ts';
import { foldRun } from '../../runner/load-run.ts';
import { nextWakeAt } from '../../runner/plan/readiness.ts';
import { headerOf } from '../../runner/plan/run-header.ts';
import { RunExecutor } from '../../runner/run-executor.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { CheckedStore, ClaimedRun } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { settledWithin } from '../../time/settled-within.ts';
import type { Changes } from '../changes.ts';
import type { LiveBus } from '../query/events/live-bus.ts';
import type { Registry } from '../registry.ts';
import { Admission } from './admission.ts';
import { Failures } from './failures.ts';
import { workerLabel } from './incarnation.ts';
import type { Leases } from './leases.ts';
import { failureOf, isStoreFailure, isUnstorable, leasedAgain, refusalOf } from './refusal.ts';
import { type Takeover, takeoverMark, takeoversOf } from './takeover.ts';
import { failedIn, runSpan, tellEnd } from './tell-run.ts';
import { HeadWatch } from './timer/head-watch.ts';
import { Heartbeat } from './timer/heartbeat.ts';
import { WakeUps } from './timer/wake-ups.ts';

interface WorkerOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly leases: Leases;
  readonly registry: Registry;
  readonly changes: Changes;
  readonly live: LiveBus;
  readonly childRuns: ChildRuns;
  /** Whether this engine executes runs at all. */
  readonly executes: boolean;
}

/** A run as this process left it. */
export interface LeftRun {
  readonly state: RunState;
  readonly graph: CompiledGraph;
  /** It ended here, and its end is durable: no read is needed. */
  readonly hasEnded: boolean;
  /** Its header after the last commit; undefined if unknown. */
  readonly header: RunHeader | undefined;
}

/** A run that this process executes. */
interface Execution {
  readonly executor: RunExecutor;
  readonly lease: RunLease;
  readonly graph: CompiledGraph;
  /** The header as it was when the run was leased. */
  readonly header: RunHeader;
  /** Resolves when the lease has ended, and never rejects. */
  done: Promise<LeftRun> | undefined;
}

/** The result of a claim of due runs: how many, when the next one is due, and which were taken over. */
export interface DueRuns {
  readonly count: number;
  readonly nextDueAt: number | null;
  readonly takeovers: readonly Takeover[];
}

/** Executes the runs that this process leases, and keeps their leases alive. */
export class Worker {
  /** Whether a run may begin here. */
  readonly admission: Admission = new Admission(() => this.size);
  readonly wakeUps: WakeUps;
  readonly #options: WorkerOptions;
  readonly #executions = new Map<string, Execution>();
  readonly #failures = new Failures();
  readonly #heartbeat: Heartbeat;
  readonly #closed = new AbortController();
  readonly #heads: HeadWatch;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { store, env, leases, changes } = options;
    const onHead = (runId: string, head: number): void => this.#changed(runId, head);
    this.#heads = new HeadWatch({ store, runIds: () => [...this.#executions.keys()], onHead });
    this.#heartbeat = new Heartbeat({ env, leases, onBeat: () => this.#heads.look() });
    const { admission } = this;
    this.wakeUps = new WakeUps({ env, store, admission, wake: (runId) => this.#wake(runId) });
    changes.listen((runId, head) => {
      this.wakeUps.changed(runId, head);
      if (runId === undefined) this.#heads.look().catch(() => undefined);
      else onHead(runId, head);
    });
  }

  /** How many runs are executed here. */
  get size(): number {
    return this.#executions.size;
  }

  /** From now on a work loop claims the runs that wake, so that never more than `limit` execute. */
  beginLoop(limit: number, onRoom: () => void): void {
    this.wakeUps.clearAll();
    this.admission.beginLoop(limit, onRoom);
  }

  /** Resolves when the run is no longer executed here. Undefined if it is not executed here. */
  whenDone(runId: string): Promise<LeftRun> | undefined {
    const execution = this.#executions.get(runId);
    // A run that is just starting has no promise yet.
    return execution && (execution.done ?? Promise.resolve().then(() => execution.done as Promise<LeftRun>));
  }

  /** Why the run could not be continued here; returned once. With a head, only if the run is still at that head. */
  popFailure(runId: string, head?: number): HoldfastError | undefined {
    return this.#failures.pop(runId, head);
  }

  /**
   * Continues the run here if it is due, its code is available and no live worker leases it. A run that is just being
   * released may have missed the write that woke it: it continues after the release.
   */
  async continueRun(run: Pick<RunHeader, 'runId' | 'graph'>): Promise<void> {
    const { runId } = run;
    if (this.#isClosed || !this.#options.registry.has(run)) return;
    const executing = this.whenDone(runId);
    if (executing === undefined) return this.wakeUps.now(runId);
    void executing.then((left) => (left.hasEnded ? undefined : this.wakeUps.now(runId)));
  }

  /** Leases the run for a command, which executes or releases it. Undefined if a live worker leases it. */
  async lease<T>(runId: string, use: (lease: RunLease, header: RunHeader) => Promise<T>): Promise<T | undefined> {
    const { leases, executes } = this.#options;
    const { run } = await leases.acquire(runId, { ifDue: false });
    if (run === undefined) return undefined;
    try {
      return await use(await this.#open(run), run.header);
    } catch (error) {
      // If that fails too, the lease is released as orphaned.
      await leases.release(runId).catch(() => undefined);
      // A commit may have happened, and made the run due, although nobody can tell the caller.
      if (executes && isStoreFailure(error)) this.wakeUps.later(runId);
      throw error;
    } finally {
      if (!this.#executions.has(runId)) leases.ended(runId, run.header.fence);
    }
  }

  /** Claims and executes due runs whose code is available, up to a limit. */
  async executeDue(limit: number): Promise<DueRuns> {
    const { leases, registry, env } = this.#options;
    const graphs = registry.names();
    const runs = Math.min(limit, this.admission.room);
    if (this.#isClosed || runs <= 0 || graphs.length === 0) return { count: 0, nextDueAt: null, takeovers: [] };
    const endReservation = this.admission.reserve(runs);
    try {
      const { claimed, corrupt, nextDueAt } = await leases.acquireDue(graphs, runs);
      for (const error of corrupt) env.warn(`A run could not be leased. ${error.message}`);
      await Promise.all(claimed.map((run) => this.#executeClaimed(run)));
      return { count: claimed.length, nextDueAt, takeovers: takeoversOf(claimed) };
    } finally {
      endReservation?.();
    }
  }

  /** Executes a run that this worker leases. */
  async execute(lease: RunLease, header: RunHeader): Promise<void> {
    const { runId, tags, parentId, claims } = header;
    const { env, live, registry, childRuns, leases } = this.#options;
    const graph = registry.find(lease.state);
    if (graph === undefined || this.#isClosed || !this.admission.isOpen) return leases.release(runId);
    const executor = new RunExecutor({
      env,
      graph,
      owned: lease,
      tags,
      parentId,
      claims,
      childRuns,
      live: live.of(lease),
    });
    const execution: Execution = { executor, lease, graph, header, done: undefined };
    // A run that was lost and leased again may still execute under the old lease.
    this.#executions.get(runId)?.executor.abort(leasedAgain(runId));
    this.#executions.set(runId, execution);
    this.wakeUps.clear(runId);
    this.#failures.clear(runId);
    this.#heartbeat.start();
    execution.done = this.#run(runId, execution);
  }

  /** Releases a run without writing to it. */
  release(runId: string): Promise<void> {
    return this.#options.leases.release(runId);
  }

  /** Starts nothing new. Resolves when the running tasks have ended. After the time limit, the rest is aborted. */
  async drain(drainMs: number): Promise<void> {
    this.beginDrain();
    await this.#endExecutions(drainMs);
    this.admission.drained();
  }

  /** From now on nothing new begins. */
  beginDrain(): void {
    this.admission.drain();
    this.wakeUps.clearAll();
    for (const { executor } of this.#executions.values()) executor.stop();
  }

  async #endExecutions(drainMs: number): Promise<void> {
    const all = Promise.all(Array.from(this.#executions.values(), async ({ done }) => done));
    const { clock } = this.#options.env;
    if (await settledWithin(all, { clock, ms: drainMs })) return;
    const reason = holdfastError('HOLDFAST_LEASE_LOST', 'The engine is closing. Another worker continues the run.');
    for (const { executor } of this.#executions.values()) executor.abort(reason);
    await all;
  }

  /** Ends everything. Other workers can lease the runs at once. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.wakeUps.close();
    this.admission.close();
    await this.drain(0);
    this.#heartbeat.close();
    await this.#options.leases.close();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Continues the run if it is due. Resolves with the time to try again, or null if that is not necessary. */
  async #wake(runId: string): Promise<number | null> {
    if (this.#isClosed || this.#executions.has(runId) || !this.admission.isOpen) return null;
    if (this.admission.hasLoop) {
      this.admission.wakeLoop();
      return null;
    }
    const { run, nextDueAt } = await this.#options.leases.acquire(runId, { ifDue: true });
    if (run !== undefined) await this.#executeClaimed(run);
    return nextDueAt;
  }

  async #open(run: ClaimedRun): Promise<RunLease> {
    const { store, env, leases } = this.#options;
    const takeover = takeoverMark(run, { worker: workerLabel(leases.worker), at: env.clock.now() });
    const { lapses } = leases;
    return new RunLease({ store, env, worker: leases, lapses, ...(await foldRun(store, await run.open())), takeover });
  }

  async #executeClaimed(run: ClaimedRun): Promise<void> {
    const { header } = run;
    let lease: RunLease;
    try {
      lease = await this.#open(run);
    } catch (error) {
      await this.#giveBack(header, error);
      return;
    }
    await this.execute(lease, header);
  }

  async #run(runId: string, execution: Execution): Promise<LeftRun> {
    const { executor, lease, graph } = execution;
    const { env } = this.#options;
    let failure: unknown;
    try {
      await inSpan(
        env,
        () => runSpan(lease.state),
        () => executor.execute(),
        () => failedIn(lease),
      );
      // Commit the records that were added before the stop: they happened, and the next worker must not repeat them.
      if (!lease.released && lease.lost === undefined) await lease.flush();
    } catch (error) {
      failure = lease.lost ?? error;
    }
    await this.#end(runId, execution, failure);
    if (env.observe !== undefined) tellEnd(env.observe, lease);
    if (this.#executions.get(runId) === execution) this.#executions.delete(runId);
    // Only now: a timer that is already due fires at once, and wakes no run that still executes here.
    if (lease.lost === undefined && failure === undefined && lease.state.end === undefined)
      this.wakeUps.park(lease.state, nextWakeAt(lease.state));
    if (isUnstorable(failure)) await this.#failRun(runId, failure);
    if (this.size === 0) this.#heartbeat.pause();
    const { state } = lease;
    const { changes, childRuns } = this.#options;
    const { parentId } = execution.header;
    if (parentId !== null && state.wakes !== undefined && isStoreFailure(failure)) {
      childRuns.wakeIfEnded(parentId, state.wakes, { runId, fence: lease.fence });
    }
    changes.tell(runId, state.head);
    const header = lease.released && lease.lost === undefined ? this.#headerAfter(execution) : undefined;
    return { state, graph, hasEnded: state.end !== undefined && header !== undefined, header };
  }

  #headerAfter({ header, lease: { state } }: Execution): RunHeader {
    return { ...header, ...headerOf(state, this.#options.env.clock.now()), head: state.head, worker: null, claims: 0 };
  }

  /** Ends the lease of a run that is no longer executed. */
  async #end(runId: string, execution: Execution, failure: unknown): Promise<void> {
    const { lease } = execution;
    const isCurrent = this.#executions.get(runId) === execution;
    if (lease.released || lease.isLeasedElsewhere || !isCurrent) {
      this.#options.leases.ended(runId, lease.fence);
      if (isCurrent && failure !== undefined && !lease.isLeasedElsewhere) this.#remember(lease.state, failure);
    } else {
      await this.#giveBack(lease.state, lease.lost ?? failure);
    }
  }

  /** Ends a run that brings more than the store accepts: it would bring the same again after every claim. Never rejects. */
  async #failRun(runId: string, failure: HoldfastError): Promise<void> {
    if (this.#isClosed) return;
    const { env, childRuns } = this.#options;
    try {
      await this.lease(runId, async (lease, { parentId }) => {
        const { end, wakes } = lease.state;
        if (end !== undefined) return this.release(runId);
        const payload = { status: 'failed', error: storeError(failure) } as const;
        await lease.commit([{ kind: 'run-end', at: env.clock.now(), payload }], { release: true });
        if (parentId !== null && wakes !== undefined) await childRuns.wake(parentId, wakes, runId);
      });
    } catch (error) {
      env.warn(`Run "${runId}" could not be ended: ${String(error)}`, { runId, error });
    }
  }

  /** Releases a run whose execution failed. Never rejects. */
  async #giveBack(run: Pick<RunHeader, 'runId' | 'head'>, failure: unknown): Promise<void> {
    const { leases, env } = this.#options;
    const { runId } = run;
    if (failure !== undefined) this.#remember(run, failure);
    const isRetried = isStoreFailure(failure) && !this.#isClosed;
    const { retries, pauseMs } = this.#failures.again(run, env.random);
    try {
      if (isRetried) await env.clock.sleep(pauseMs, this.#closed.signal).catch(() => undefined);
      await leases.release(runId, this.#isClosed ? undefined : refusalOf(failure));
    } catch (error) {
      this.#remember(run, error);
    }
    if (isRetried) this.wakeUps.retry(runId, retries);
  }

  #remember({ runId, head }: Pick<RunHeader, 'runId' | 'head'>, thrown: unknown): void {
    if (this.#isClosed) return;
    const error = failureOf(runId, thrown);
    this.#failures.set(runId, { error, head });
    const about = refusalOf(error) === undefined ? { runId, error } : ({ type: 'refusal', runId, error } as const);
    this.#options.env.warn(`Run "${runId}" was released. ${error.message}`, about);
  }

  /** Ignores hints about our own commits. */
  #changed(runId: string, head: number): void {
    const execution = this.#executions.get(runId);
    if (execution === undefined || execution.lease.released || head <= execution.lease.state.head) return;
    // The next beat tries again.
    execution.executor.refresh().catch(() => undefined);
  }
}
