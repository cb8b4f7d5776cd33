import { inSpan } from '../env/observe/in-span.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { CompiledNode } from '../graph/compile/compiled-graph.ts';
import type { NewEntry } from '../record/record.ts';
import { isOverdue } from './fold/run-deadline.ts';
import type { TaskDone } from './fold/run-state.ts';
import { reviveError, storeError } from './fold/stored-error.ts';
import { timersDue } from './plan/due-entries.ts';
import type { TaskSpec } from './plan/plan-tasks.ts';
import { hasTimes, isReady, nextWakeAt } from './plan/readiness.ts';
import { nodeSpan, tellRetry } from './spans.ts';
import { tooManyWaits } from './task/call/call-errors.ts';
import { retryDelayMs, UnstorableResult } from './task/call/step-call.ts';
import type { ChildStart } from './task/child-start.ts';
import { parkEntries } from './task/park-entries.ts';
import { isRefusal } from './task/start-refusal.ts';
import { catchFailure, runBody } from './task/task-body.ts';
import type { TaskHost } from './task/task-host.ts';
import { type FailedTask, type TaskEnd, TaskRun } from './task/task-run.ts';
import { waitForEffects } from './task/unknown-effects.ts';

/** The result of a super-step when none of its tasks runs any more. */
export type StepEnd =
  | { readonly type: 'done'; readonly done: readonly TaskDone[] }
  | { readonly type: 'failed'; readonly error: HoldfastError }
  | { readonly type: 'parked' }
  | { readonly type: 'stopped' };

/** What a super-step needs from its run. */
export interface StepHost extends TaskHost {
  readonly startChild: (child: ChildStart) => Promise<void>;
  /** Called when a wait of a task is due while others run. */
  readonly onDue: () => Promise<void>;
  readonly onTask: (task: TaskRun, what: 'start' | 'replayed') => void;
}

/**
 * The tasks of one super-step: starts the ready ones, journals each as it ends, and restarts tasks that an answer has
 * woken, until nothing runs.
 */
export class SuperStep {
  readonly #host: StepHost;
  readonly #tasks: readonly TaskSpec[];
  readonly #running = new Map<string, TaskRun>();
  /** How many items of each `each` are running. Created on first use. */
  #itemsOf: Map<CompiledNode, number> | undefined;
  /** The result of the last task, which goes into the super-step's own commit. */
  #last: { readonly key: string; readonly done: TaskDone; readonly failure: NewEntry | undefined } | undefined;
  #stopped = false;
  #failure: Error | undefined;
  #diverged: HoldfastError | undefined;
  #pulse: () => void = nothing;

  constructor(host: StepHost, tasks: readonly TaskSpec[]) {
    this.#host = host;
    this.#tasks = tasks;
  }

  /** Runs until every task is done, parked or failed. @throws when the lease was lost, HOLDFAST_DIVERGED */
  async run(): Promise<StepEnd> {
    const { owned } = this.#host;
    if (owned.state.open.size > 0) this.#tellOfFinished();
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      // Every task is done: the last result is kept only then.
      if (this.#last !== undefined) break;
      if (!this.#stopped && !owned.isEnding && owned.mayBeLost) await owned.confirm();
      if (!this.#stopped && !owned.isEnding) this.#startReady();
      if (this.#running.size === 0) break;
      await this.#somethingHappens();
    }
    return this.#end();
  }

  /** Reports the tasks that an earlier process finished. */
  #tellOfFinished(): void {
    for (const spec of this.#tasks) {
      if (this.#memo(spec)?.done !== undefined) this.#host.onTask(new TaskRun(this.#host, spec), 'replayed');
    }
  }

  /** Resolves when a task has ended, `wake` was called, or a wait is due. */
  #somethingHappens(): Promise<void> {
    const { env, owned } = this.#host;
    const pulse = new Promise<void>((resolve) => {
      this.#pulse = resolve;
    });
    // Most super-steps wait for nothing but their tasks, and reading a clock takes as long as a promise.
    if (owned.isEnding || !hasTimes(owned.state)) return pulse;
    const now = env.clock.now();
    // It became due while it was being journalled: no timer will fire for it.
    if (timersDue(owned.state, now).length > 0 || isOverdue(owned.state, now)) return this.#host.onDue();
    const wakeAt = nextWakeAt(owned.state, now);
    return wakeAt === undefined ? pulse : this.#pulseWithin(wakeAt - now, pulse);
  }

  async #pulseWithin(ms: number, pulse: Promise<void>): Promise<void> {
    const timer = new AbortController();
    const due = this.#host.env.clock.sleep(ms, timer.signal).then(this.#host.onDue, () => undefined);
    await Promise.race([pulse, due]);
    timer.abort();
  }

  /** Something may have changed: checks again which tasks are ready. */
  wake(): void {
    this.#pulse();
  }

  /** Starts nothing new. Running tasks finish. */
  stop(): void {
    this.#stopped = true;
    this.#pulse();
  }

  /** Aborts all running tasks. */
  abort(reason: HoldfastError): void {
    this.#stopped = true;
    for (const task of this.#running.values()) task.abort(reason);
    this.#running.clear();
    this.#pulse();
  }

  #memo({ key }: TaskSpec) {
    return this.#host.owned.state.open.get(key);
  }

  #isDone(spec: TaskSpec): boolean {
    return this.#last?.key === spec.key || this.#memo(spec)?.done !== undefined;
  }

  #startReady(): void {
    const now = this.#host.env.clock.now();
    for (const spec of this.#tasks) {
      const { work } = spec.node;
      if (this.#running.has(spec.key) || this.#isDone(spec) || !isReady(this.#memo(spec), now)) continue;
      if (work.type === 'each' && this.#runningItems(spec.node) >= work.concurrency) continue;
      void this.#start(spec);
    }
  }

  #runningItems(node: CompiledNode): number {
    return this.#itemsOf?.get(node) ?? 0;
  }

  #isRunning(task: TaskRun): boolean {
    return this.#running.get(task.spec.key) === task;
  }

  #countItems({ node }: TaskSpec, more: number): void {
    if (node.work.type !== 'each') return;
    this.#itemsOf ??= new Map();
    this.#itemsOf.set(node, this.#runningItems(node) + more);
  }

  async #start(spec: TaskSpec): Promise<void> {
    const task = new TaskRun(this.#host, spec);
    this.#running.set(spec.key, task);
    this.#countItems(spec, 1);
    this.#host.onTask(task, 'start');
    const timer = this.#startTimer(task);
    const end = await inSpan(
      this.#host.env,
      () => nodeSpan(task),
      () => task.run(runBody),
      failureOf,
    );
    timer?.abort();
    try {
      // Unless it was aborted.
      if (this.#isRunning(task) && !this.#keepsLast(task, end)) await this.#journal(task, end);
    } catch (error) {
      this.#failure ??= error as Error;
    }
    if (this.#isRunning(task)) this.#running.delete(task.spec.key);
    this.#countItems(task.spec, -1);
    this.#pulse();
  }

  #startTimer(task: TaskRun): AbortController | undefined {
    const { timeoutMs } = task.spec.node.policy;
    if (timeoutMs === undefined) return undefined;
    const timer = new AbortController();
    this.#host.env.clock.sleep(timeoutMs, timer.signal).then(
      () => task.abort(nodeTimeout(task, timeoutMs)),
      () => undefined,
    );
    return timer;
  }

  /** Keeps the result of the last task for the commit of the super-step. False if it has to be journalled before. */
  #keepsLast(task: TaskRun, end: TaskEnd): boolean {
    if (end.type !== 'done' || !this.#isLast(task.spec)) return false;
    task.keepDrawn();
    this.#host.keepEmits();
    this.#last = { key: task.spec.key, done: end.done, failure: undefined };
    return true;
  }

  /** Whether no other task is left, and nothing may happen only when the end of this one is durable. */
  #isLast(spec: TaskSpec): boolean {
    return this.#tasks.every((other) => other === spec || this.#isDone(other)) && !this.#abandonsChildren(spec);
  }

  /** Journals what a task has come to. */
  async #journal(task: TaskRun, end: TaskEnd): Promise<void> {
    if (end.type === 'diverged') {
      // The others finish what they have begun.
      this.#diverged ??= end.error;
      return this.stop();
    }
    task.keepDrawn();
    this.#host.keepEmits();
    if (end.type === 'done') return this.#journalDone(task, end);
    if (end.type === 'failed') return this.#journalFailure(task, end);
    const { owned, env } = this.#host;
    const { state, bounds } = owned;
    // Each task counts its own; together they may be more than the run may have.
    if (owned.waits + end.waits.length > bounds.openWaits)
      return this.#journalFailure(task, task.failed(tooManyWaits(state.runId, bounds.openWaits)));
    try {
      // Create the child before its parent waits for it: nothing would start it after a crash in between.
      for (const child of end.children) {
        await this.#host.startChild(child);
        // Aborted meanwhile: the next worker starts the others.
        if (!this.#isRunning(task)) return;
      }
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      return this.#journalFailure(task, { type: 'failed', error: thrown, thrown });
    }
    for (const entry of parkEntries(task, end, env.clock.now())) owned.add(entry);
    await owned.commit([], { release: this.#running.size === 1 });
  }

  /** Journals a task at once while others run. The last one goes into the commit of the super-step. */
  async #journalDone(task: TaskRun, { done }: TaskEnd & { readonly type: 'done' }, failure?: NewEntry): Promise<void> {
    const { spec } = task;
    if (this.#isLast(spec)) {
      this.#last = { key: spec.key, done, failure };
      return;
    }
    const { owned } = this.#host;
    // In one commit: a failure without the result of its `catch` would fail the run.
    if (failure !== undefined) owned.add(failure);
    owned.add(this.taskEntry(spec, done));
    await owned.flush();
  }

  /** Whether the task ends with children that nobody waits for: they may be cancelled once its end is durable. */
  #abandonsChildren(spec: TaskSpec): boolean {
    const { abandoned } = this.#host.owned.state;
    if (abandoned.size > 0) return true;
    const memo = this.#memo(spec);
    if (memo === undefined) return false;
    return [...memo.calls.values()].some(({ wait, result }) => wait?.kind === 'child' && result === undefined);
  }

  /** The record of a finished task. */
  taskEntry({ place }: TaskSpec, { update, goto, output, again }: TaskDone): NewEntry {
    const payload = {
      ...place,
      ...(Object.keys(update).length > 0 && { update }),
      ...(goto !== undefined && { goto }),
      ...(output !== undefined && { output }),
      ...(again !== undefined && { again }),
    };
    return { kind: 'task', at: this.#host.env.clock.now(), payload };
  }

  async #journalFailure(task: TaskRun, { error, thrown }: FailedTask): Promise<void> {
    const { owned, env, view } = this.#host;
    const { node, place, item } = task.spec;
    const { retry } = node.policy;
    // A node that is an effect itself, and timed out, may or may not have done it. One that threw has not.
    const isUnknown = node.isOnce && task.isAborted;
    const isFinal = isUnknown || thrown instanceof UnstorableResult;
    const delayMs = isFinal ? undefined : retryDelayMs({ retry, attempt: task.attempt, thrown, env });
    if (delayMs === undefined && (isUnknown || !node.isOnce) && (await this.#waitsForEffects(task))) return;
    const at = env.clock.now();
    const retryAt = delayMs === undefined ? {} : { retryAt: at + delayMs };
    const failure: NewEntry = { kind: 'attempt', at, payload: { ...place, error: storeError(error), ...retryAt } };
    if (delayMs !== undefined)
      tellRetry(env, { task, step: undefined, attempt: task.attempt, retryAt: at + delayMs, error });
    if (delayMs !== undefined || node.catch === undefined) {
      owned.add(failure);
      return owned.flush();
    }
    const caught = await catchFailure(task, () => node.catch?.(error, view(), item));
    if (caught.type === 'done') return this.#journalDone(task, caught, failure);
    owned.add(failure);
    if (caught.type === 'failed') {
      owned.add({ kind: 'attempt', at, payload: { ...place, error: storeError(caught.error) } });
    }
    return owned.flush();
  }

  /**
   * A last attempt that leaves an effect with an unknown outcome has not failed for good: someone has to settle the effect,
   * and the body continues from there.
   */
  async #waitsForEffects(task: TaskRun): Promise<boolean> {
    const { owned, env } = this.#host;
    await owned.flush();
    const entries = waitForEffects(task, env.clock.now());
    if (entries.length === 0) return false;
    for (const entry of entries) owned.add(entry);
    await owned.commit([], { release: this.#running.size === 1 });
    return true;
  }

  #end(): StepEnd {
    if (this.#diverged !== undefined) throw this.#diverged;
    const memos = this.#tasks.map((spec) => this.#memo(spec));
    const failed = memos.find((memo) => memo?.failed !== undefined)?.failed;
    if (failed !== undefined && this.#last === undefined) {
      return { type: 'failed', error: reviveError(failed) as HoldfastError };
    }
    const done = this.#tasks.map((spec, at) => (this.#last?.key === spec.key ? this.#last.done : memos[at]?.done));
    if (done.every((each) => each !== undefined)) return { type: 'done', done };
    return this.#stopped ? { type: 'stopped' } : { type: 'parked' };
  }

  /** The last failure of the task whose result is not journalled yet; its `catch` has handled it. */
  get caught(): NewEntry | undefined {
    return this.#last?.failure;
  }

  /** The records of the task whose result is not journalled yet. */
  get unwritten(): readonly NewEntry[] {
    const last = this.#last;
    const spec = last && this.#tasks.find(({ key }) => key === last.key);
    if (last === undefined || spec === undefined) return [];
    const entry = this.taskEntry(spec, last.done);
    return last.failure === undefined ? [entry] : [last.failure, entry];
  }
}

function nothing(): void {}

function failureOf(end: TaskEnd): HoldfastError | undefined {
  return end.type === 'failed' || end.type === 'diverged' ? end.error : undefined;
}

function nodeTimeout(task: TaskRun, timeoutMs: number): HoldfastError {
  const { node } = task.spec;
  return holdfastError('HOLDFAST_TIMEOUT', `Node "${node.name}" took longer than ${timeoutMs} ms.`, {
    details: { runId: task.state.runId, node: node.name, timeoutMs },
  });
}
