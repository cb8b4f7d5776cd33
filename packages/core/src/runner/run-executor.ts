import { stateView } from '../channel/update/state-view.ts';
import type { FoldState } from '../delta/cell.ts';
import type { Env } from '../env/env.ts';
import { inSpan } from '../env/observe/in-span.ts';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { CompiledGraph } from '../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../record/record.ts';
import type { EmittedItem, Payloads } from './fold/payload.ts';
import { isOverdue } from './fold/run-deadline.ts';
import type { RunState } from './fold/run-state.ts';
import { storeError } from './fold/stored-error.ts';
import type { ChildRuns, Live } from './host.ts';
import { continueUnder } from './plan/continue-under.ts';
import { timersDue } from './plan/due-entries.ts';
import { type FinishedStep, finishStep } from './plan/finish-superstep.ts';
import { emptyNodes, planTasks, type TaskSpec } from './plan/plan-tasks.ts';
import { hasNothingToRun, hasWork } from './plan/readiness.ts';
import { cancelled, noProgress, planFailure } from './plan/run-failures.ts';
import { crashLoop, pauseAfter, pauseBefore, runTimeout, stepLimit } from './plan/run-limits.ts';
import { turnEntry } from './plan/turn-entry.ts';
import type { RunLease } from './run-lease.ts';
import { failureIn, superstepSpan } from './spans.ts';
import { type StepHost, SuperStep } from './superstep.ts';
import { checkEmit } from './task/check-emit.ts';
import { EmitBuffer } from './task/emit-buffer.ts';
import { judgeAnswers } from './task/judge-answers.ts';
import { isRefusal } from './task/start-refusal.ts';

interface RunExecutorOptions {
  readonly env: Env;
  readonly graph: CompiledGraph;
  readonly owned: RunLease;
  readonly tags: Readonly<Record<string, string>>;
  readonly parentId: string | null;
  /** How often the run was taken over since the last commit: each time a process had died. */
  readonly claims: number;
  readonly childRuns: ChildRuns;
  readonly live: Live;
}

/** The number of crashes without a commit after which a run fails. */
const maxCrashes = 5;

/** Executes one run: plans a super-step, runs its tasks, commits, and repeats until the run ends or waits. */
export class RunExecutor {
  readonly #options: RunExecutorOptions;
  readonly #env: Env;
  readonly #graph: CompiledGraph;
  readonly #owned: RunLease;
  readonly #emits: EmitBuffer;
  readonly #host: StepHost;
  /** The tasks of the next super-step see the same state as the routes. */
  readonly #viewOf = (values: FoldState): object => {
    this.#see(values);
    return this.#host.view();
  };
  #seenValues: FoldState = new Map();
  #view: object | undefined;
  #step: SuperStep | undefined;
  #stopping = false;
  #refreshing = false;
  #isToldAgain = false;
  /** The head at which all tasks last waited although there was work. */
  #triedAt: number | undefined;

  constructor(options: RunExecutorOptions) {
    this.#options = options;
    this.#env = options.env;
    this.#graph = options.graph;
    this.#owned = options.owned;
    this.#emits = new EmitBuffer(options.env, () => this.#flushEmits());
    this.#host = this.#hostOf(options);
    // A body may wait for a commit that failed, and would wait for ever.
    this.#owned.onLost = (error) => this.abort(error);
    // Ignore errors: a lost lease also rejects the commit, and its caller handles that.
    this.#owned.onForeign = () => void this.#applyChanges().catch(() => undefined);
  }

  get #state(): RunState {
    return this.#owned.state;
  }

  get #isOverdue(): boolean {
    const { state } = this.#owned;
    return state.deadline !== undefined && isOverdue(state, this.#env.clock.now());
  }

  /** Resolves when the run has ended, waits or was released. @throws HOLDFAST_VERSION, HOLDFAST_LEASE_LOST, and the store's errors */
  async execute(): Promise<void> {
    try {
      if (await this.#begin()) while (await this.#advance());
    } finally {
      this.#emits.take();
    }
  }

  /** Someone may have written to the run. */
  async refresh(): Promise<void> {
    this.#isToldAgain = this.#refreshing;
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      do {
        this.#isToldAgain = false;
        await this.#owned.refresh();
        // A conflicting commit may already have folded it.
        await this.#applyChanges();
      } while (this.#isToldAgain);
    } catch (error) {
      if (this.#owned.lost !== undefined) this.abort(this.#owned.lost);
      else throw error;
    } finally {
      this.#refreshing = false;
    }
  }

  /** Handles external writes and due timers while tasks run. */
  async #applyChanges(): Promise<void> {
    if (this.#step === undefined || this.#owned.isEnding) return;
    if (this.#state.cancel !== undefined) this.#step.abort(cancelled(this.#state));
    else if (this.#isOverdue) this.#step.abort(runTimeout(this.#state));
    else await this.#settleDue();
    this.#step?.wake();
  }

  /** Starts nothing new, and releases the run when the running tasks have ended. */
  stop(): void {
    this.#stopping = true;
    this.#step?.stop();
  }

  /** Aborts the running tasks. */
  abort(reason: HoldfastError): void {
    this.#stopping = true;
    this.#step?.abort(reason);
  }

  /** Checks that this code can continue the run, and migrates it if necessary. False if the run has ended. */
  async #begin(): Promise<boolean> {
    const { claims } = this.#options;
    if (claims >= maxCrashes && this.#state.end === undefined) {
      return this.#endRun({ status: 'failed', error: storeError(crashLoop(this.#state.runId, claims)) });
    }
    // Ending a cancelled or overdue run needs no user code.
    if (this.#state.cancel !== undefined || this.#isOverdue) return true;
    const migrating = await continueUnder(this.#graph, this.#state, this.#env.clock.now());
    if (migrating !== undefined) await this.#owned.commit(migrating.entries, { values: migrating.values });
    return true;
  }

  /** Executes one super-step. False if there is nothing more to do here. */
  async #advance(): Promise<boolean> {
    const { end, cancel, paused, waits, answers } = this.#state;
    if (end !== undefined) return this.#afterEnd();
    if (cancel !== undefined) return this.#endRun({ status: 'cancelled', reason: cancel.reason });
    if (this.#isOverdue) return this.#endRun({ status: 'failed', error: storeError(runTimeout(this.#state)) });
    if (this.#stopping || paused !== undefined) return false;
    if (waits.size > 0 || answers.size > 0) await this.#settleDue();
    if (hasNothingToRun(this.#state)) return this.#endRun({ status: 'completed' });
    const { clock } = this.#env;
    const stop = stepLimit(this.#graph, this.#state, clock) ?? pauseBefore(this.#state, clock);
    if (stop !== undefined) return this.#stopAt(stop);
    const { tasks, problem } = this.#plan();
    if (problem !== undefined) return this.#endRun({ status: 'failed', error: storeError(problem) });
    if (tasks.length > 0) this.#noteEmpty(tasks);
    const step = new SuperStep(this.#host, tasks);
    this.#step = step;
    try {
      return await inSpan(
        this.#env,
        () => superstepSpan(this.#state),
        () => this.#finish(step, tasks),
        () => failureIn(this.#state),
      );
    } finally {
      this.#step = undefined;
    }
  }

  async #stopAt(stop: NewEntry): Promise<boolean> {
    await this.#commit([stop], { release: true });
    if (this.#state.end !== undefined) await this.#wakeParent();
    return !this.#owned.released;
  }

  async #afterEnd(): Promise<boolean> {
    const [turn] = this.#state.turns;
    if (this.#state.end?.status !== 'completed' || turn === undefined || this.#stopping) return false;
    const at = this.#env.clock.now();
    let begun: ReturnType<typeof turnEntry>;
    try {
      begun = turnEntry(this.#graph, this.#state, turn, at);
    } catch (thrown) {
      const entry: NewEntry = { kind: 'turn', at, payload: { of: turn.seq, turn: turn.turn, next: [] } };
      const error = storeError(planFailure(this.#state.runId, thrown));
      return this.#endRun({ status: 'failed', error }, [entry]);
    }
    await this.#commit([begun.entry], { values: begun.values });
    return true;
  }

  #deadline(): Parameters<typeof judgeAnswers>[2] {
    return { clock: this.#env.clock, validationMs: this.#owned.bounds.validationMs };
  }

  /** Handles due timers, and answers that were not validated yet. */
  async #settleDue(): Promise<void> {
    const entries = [
      ...timersDue(this.#state, this.#env.clock.now()),
      ...(await judgeAnswers(this.#graph, this.#state, this.#deadline())),
    ];
    if (entries.length > 0) await this.#commit(entries);
  }

  /** Without a record of them, a waiting super-step would seem to have work. */
  #noteEmpty(tasks: readonly TaskSpec[]): void {
    for (const node of emptyNodes(this.#graph, this.#state, tasks)) {
      this.#owned.add({ kind: 'task', at: this.#env.clock.now(), payload: { node, of: 0 } });
    }
  }

  /** The tasks of the open super-step. The state that they see is created on first use. */
  #plan(): { readonly tasks: readonly TaskSpec[]; readonly problem?: HoldfastError } {
    this.#see(this.#state.values);
    try {
      return { tasks: planTasks(this.#graph, this.#state, this.#host.view) };
    } catch (thrown) {
      return { tasks: [], problem: planFailure(this.#state.runId, thrown) };
    }
  }

  #see(values: FoldState): void {
    if (this.#seenValues === values) return;
    this.#seenValues = values;
    this.#view = undefined;
  }

  #hostOf({ env, graph, owned, tags, childRuns, live }: RunExecutorOptions): StepHost {
    return {
      env,
      graph,
      owned,
      tags,
      view: () => (this.#view ??= stateView(graph.channels, this.#seenValues)),
      childEnd: (id) => this.#onStore(() => childRuns.end(id)),
      startDetached: (run) => this.#onStore(() => childRuns.startDetached(run)),
      emit: (item) => this.#emit(item),
      keepEmits: () => this.#keepEmits(),
      onStep: (call, attempt, what) => live.step(call, attempt, what),
      onTask: (task, what) => live.task(task, what),
      onDue: () => this.#applyChanges(),
      startChild: (child) => childRuns.start(this.#state, child),
    };
  }

  /** A failure of the store is not the node's: the next worker tries again. */
  async #onStore<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.#owned.giveUp(error as HoldfastError);
      this.abort(error as HoldfastError);
      throw error;
    }
  }

  async #finish(step: SuperStep, tasks: readonly TaskSpec[]): Promise<boolean> {
    const end = await step.run();
    this.#step = undefined;
    if (this.#state.cancel !== undefined || (end.type !== 'done' && this.#isOverdue)) return true;
    if (end.type === 'stopped') return false;
    if (end.type === 'parked') return this.#park();
    if (end.type === 'failed') return this.#endRun({ status: 'failed', error: storeError(end.error) });
    // Their tasks are journalled as done: after a crash the next worker cancels them.
    if (this.#state.abandoned.size > 0) await this.#options.childRuns.cancelAbandoned(this.#state);
    if (this.#state.cancel !== undefined) return true;
    const at = this.#env.clock.now();
    let finished: FinishedStep;
    try {
      finished = finishStep({ graph: this.#graph, state: this.#state, tasks, done: end.done, viewOf: this.#viewOf });
    } catch (thrown) {
      const error = storeError(planFailure(this.#state.runId, thrown));
      return this.#endRun({ status: 'failed', error }, step.unwritten);
    }
    await this.#commit(this.#entriesOf(step, finished, at), { values: finished.values, release: true });
    if (finished.isLast) await this.#wakeParent();
    return !this.#owned.released;
  }

  /** The records of a super-step that is done. */
  #entriesOf({ caught }: SuperStep, { payload, isLast, output }: FinishedStep, at: number): readonly NewEntry[] {
    const entries: NewEntry[] = [{ kind: 'superstep', at, payload }];
    if (caught !== undefined) entries.unshift(caught);
    if (isLast) {
      entries.push({ kind: 'run-end', at, payload: { status: 'completed', ...(output !== undefined && { output }) } });
    } else {
      const pause = pauseAfter(this.#state, at);
      if (pause !== undefined) entries.push(pause);
    }
    return entries;
  }

  /** Releases a run whose tasks all wait, unless one was answered meanwhile. */
  async #park(): Promise<boolean> {
    if (this.#owned.released) return false;
    await this.#owned.refresh();
    if (hasWork(this.#state, this.#env.clock.now())) return this.#tryAgain();
    if (!this.#owned.isMarkedDue) return false;
    // It was woken for nothing. Update its header, or it would be claimed again and again.
    await this.#commit([{ kind: 'timer', at: this.#env.clock.now(), payload: {} }], { release: true });
    return !this.#owned.released;
  }

  /** Two tries in a row that write nothing would be followed by endless others: the journal makes no sense. */
  #tryAgain(): true {
    const { runId, head } = this.#state;
    if (this.#triedAt === head) throw noProgress(runId, head);
    this.#triedAt = head;
    return true;
  }

  /** Ends the run. Returns false: there is nothing more to do. */
  async #endRun(payload: Payloads['run-end'], before: readonly NewEntry[] = []): Promise<false> {
    const at = this.#env.clock.now();
    if (payload.status === 'cancelled') await this.#options.childRuns.cancelChildren(this.#state);
    await this.#commit([...before, { kind: 'run-end', at, payload }], { release: true });
    await this.#wakeParent();
    return false;
  }

  async #wakeParent(): Promise<void> {
    const { parentId, childRuns } = this.#options;
    const { wakes } = this.#state;
    if (parentId !== null && wakes !== undefined) await childRuns.wake(parentId, wakes, this.#state.runId);
  }

  #commit(entries: readonly NewEntry[], options: Parameters<RunLease['commit']>[1] = {}): Promise<void> {
    const emitted = this.#emits.take();
    return this.#owned.commit(emitted === undefined ? entries : [emitted, ...entries], options);
  }

  #emit(item: EmittedItem): void {
    if (this.#graph.emits === undefined) this.#options.live.emit(item);
    else this.#emits.add({ ...item, data: checkEmit(this.#graph, item.data) });
  }

  #keepEmits(): void {
    const emitted = this.#emits.take();
    if (emitted !== undefined) this.#owned.add(emitted);
  }

  #flushEmits(): void {
    this.#keepEmits();
    this.#owned.flush().catch(() => undefined);
  }
}
