import { never } from '../../async/never.ts';
import { prepareUpdate } from '../../channel/update/prepare-update.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import { againOf } from '../../graph/body/again.ts';
import { gotoOf } from '../../graph/goto.ts';
import { survey } from '../../value/codec/survey.ts';
import { together } from '../../value/codec/walk.ts';
import { privateCopy } from '../../value/frozen/private-copy.ts';
import { printable } from '../../value/printable.ts';
import type { CallEntry } from '../fold/call/call-entry.ts';
import { keyInRun } from '../fold/call/call-key.ts';
import { callKey, keyOfPlace, parseCallKey } from '../fold/call/call-type.ts';
import { cameAfter } from '../fold/call/made-calls.ts';
import { type CallPlace, type CallType, nodeEffect, type Payloads } from '../fold/payload.ts';
import type { CallMemo, CallResult, RunState, TaskDone, TaskMemo } from '../fold/run-state.ts';
import { asHoldfastError, inspectable, reviveError } from '../fold/stored-error.ts';
import type { TaskSpec } from '../plan/plan-tasks.ts';
import { invalidGoto, tooManyWaits } from './call/call-errors.ts';
import { CallOrder } from './call/call-order.ts';
import { diverged } from './call/diverged.ts';
import { DrawnValues } from './call/drawn-values.ts';
import { ExpectedCalls, type MissedCall } from './call/expected-calls.ts';
import type { ChildStart } from './child-start.ts';
import { againInGraph, nextRound, workflowOutput } from './next-round.ts';
import { warnOfRepeats } from './repeat-warning.ts';
import { type TaskHost, validatedBy } from './task-host.ts';

/** The result of an attempt. A parked attempt has these waits; the body will start again from the top. */
export type TaskEnd =
  | { readonly type: 'done'; readonly done: TaskDone }
  | FailedTask
  | { readonly type: 'diverged'; readonly error: HoldfastError }
  | { readonly type: 'parked'; readonly waits: readonly RaisedWait[]; readonly children: readonly ChildStart[] };

/** An attempt that threw. */
export interface FailedTask {
  readonly type: 'failed';
  readonly error: HoldfastError;
  readonly thrown: unknown;
}

/** A call of the body: its type, its place, and how many results the body had been given when it made it. */
export interface MadeCall {
  readonly type: CallType;
  readonly place: CallPlace;
  readonly after: number;
}

/** A call, whenever it was made. */
type TypedPlace = Pick<MadeCall, 'type' | 'place'>;

/** A wait that is not journalled yet. */
export type RaisedWait = Omit<Payloads['wait'], 'seen' | 'again' | 'after'> & Pick<MadeCall, 'after'>;

/** A shared empty array. */
const none: readonly never[] = [];

/**
 * One attempt of one task: runs the body, replays the results of its earlier calls in journal order, and parks it when it
 * waits and nothing is in flight.
 */
export class TaskRun {
  readonly spec: TaskSpec;
  readonly host: TaskHost;
  readonly attempt: number;
  /** The journal's head when this execution began. */
  readonly began: number;
  /** The last record that this attempt has seen. Undefined if its task has no records, so that nothing can wake it. */
  readonly seen: number | undefined;
  readonly #memo: TaskMemo | undefined;
  /** How many lines earlier executions of this attempt have logged. */
  readonly #logged: number;
  // Created on first use: a body without calls does not pay for them.
  #occurrences: Map<string, number> | undefined;
  #drawn: DrawnValues | undefined;
  #order: CallOrder | undefined;
  #expected: ExpectedCalls | undefined;
  #raised: RaisedWait[] | undefined;
  #children: ChildStart[] | undefined;
  #waits = 0;
  #inFlight = 0;
  #activity = 0;
  #dead = false;
  /** The body has returned. What its parallel branches still ask for is only compared with the journal. */
  #hasEnded = false;
  #controller: AbortController | undefined;
  #aborted: HoldfastError | undefined;
  #resolve: ((end: TaskEnd) => void) | undefined;

  constructor(host: TaskHost, spec: TaskSpec) {
    const { state } = host.owned;
    const memo = state.open.get(spec.key);
    this.host = host;
    this.spec = spec;
    this.attempt = (memo?.attempts ?? 0) + 1;
    this.began = state.head;
    this.seen = memo === undefined ? undefined : state.head;
    this.#memo = memo;
    this.#logged = memo?.logged ?? 0;
    // Created now if there is something to replay: the memo grows while the task runs.
    if (memo === undefined) return;
    this.#order = new CallOrder(host.env, memo.calls);
    const expected = new ExpectedCalls(memo.calls);
    if (!expected.isEmpty) this.#expected = expected;
  }

  get state(): RunState {
    return this.host.owned.state;
  }

  /** In which order the calls settle. */
  get order(): CallOrder {
    this.#order ??= new CallOrder(this.host.env, undefined);
    return this.#order;
  }

  /** What the body draws and logs. */
  get drawn(): DrawnValues {
    this.#drawn ??= new DrawnValues(this, { drawn: this.#memo?.drawn, logged: this.#logged });
    return this.#drawn;
  }

  /** Whether it was ended from outside, as by its timeout. */
  get isAborted(): boolean {
    return this.#aborted !== undefined;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** Created on first use: most bodies never need it, and it costs more than a step. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // Code that asks for the signal only now must see the abort too.
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  /** Runs the body to its end, or until it parks. */
  run(body: (task: TaskRun) => unknown): Promise<TaskEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      void this.#runBody(body);
    });
  }

  async #runBody(body: (task: TaskRun) => unknown): Promise<void> {
    try {
      const result = await body(this);
      if (this.#expected !== undefined && !(await this.#hasAskedForAll(this.#expected))) return;
      this.#settle(await this.toEnd(result));
    } catch (thrown) {
      this.#settle(this.failed(thrown));
    }
  }

  /** Ends the attempt from outside: aborts its signal, and ignores everything it does afterwards. */
  abort(reason: HoldfastError): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#aborted = reason;
    this.#controller?.abort(reason);
    this.#resolve?.({ type: 'failed', error: reason, thrown: reason });
  }

  /** The body makes its next call with this name. */
  call(type: CallType, name: string): MadeCall {
    const place = this.place(type, name);
    if (this.#expected !== undefined) {
      this.#expected.made(keyOfPlace({ type, place }));
      if (this.#expected.isEmpty) this.#expected = undefined;
    }
    return { type, place, after: this.#order?.given ?? 0 };
  }

  /** Whether a call may do something that is not recorded yet. Otherwise the attempt ends, because the body has diverged. */
  async mayBegin(made: TypedPlace): Promise<boolean> {
    const expected = this.#expected;
    if (expected === undefined) {
      await this.order.caughtUp();
    } else {
      // Whatever else the body asks for at this point comes in the same tick.
      await this.order.settled();
      this.#checkMissed(expected.missed(this.order.given), { call: keyOfPlace(made) });
    }
    const may = !this.#dead && !this.#hasEnded;
    if (may) this.keepDrawn();
    return may;
  }

  /** The same for the end of the body, after its parallel branches have asked for what they had recorded. */
  async #hasAskedForAll(expected: ExpectedCalls): Promise<boolean> {
    this.#hasEnded = true;
    // It must not park any more.
    this.#inFlight += 1;
    await this.order.settled();
    this.#checkMissed(expected.left(this.order.given, 'ended'), 'ended');
    const left = expected.optional;
    if (!this.#dead && left.length > 0) this.#warnOfLeft(left);
    return !this.#dead;
  }

  #checkMissed(missed: readonly MissedCall[], asked: Parameters<typeof diverged>[0]['asked']): void {
    if (missed.length === 0 || this.#dead) return;
    const { node, place } = this.spec;
    const error = diverged({ runId: this.state.runId, node: node.name, item: place.item, missed, asked });
    this.#dead = true;
    this.#resolve?.({ type: 'diverged', error });
  }

  #warnOfLeft(left: readonly string[]): void {
    const names = new Set(left.map((key) => `"${printable(parseCallKey(key).name)}"`));
    this.host.env.warn(
      `Node "${this.spec.node.name}" of run "${this.state.runId}" ended without asking for ${[...names].join(', ')}, which the journal has from an earlier attempt.`,
    );
  }

  /** Adds what the body has drawn and logged to the next commit. Not before: the body may have diverged. */
  keepDrawn(): void {
    this.#drawn?.keep();
  }

  /** Adds the record of a call to the next commit. */
  add(kind: 'result' | 'intent' | 'wait', payload: Payloads[typeof kind], after: number): void {
    this.host.owned.add(this.entry(kind, payload, after));
  }

  /** The record of a call. */
  entry<K extends 'result' | 'intent' | 'wait'>(kind: K, payload: Payloads[K], after: number): CallEntry {
    return { kind, at: this.host.env.clock.now(), payload, call: { after, began: this.began } };
  }

  /** The place of the next call of this type with this name. */
  place(type: CallType, name: string): CallPlace {
    this.#occurrences ??= new Map();
    const first = callKey({ type, name });
    const n = this.#occurrences.get(first) ?? 0;
    this.#occurrences.set(first, n + 1);
    return { ...this.spec.place, name, ...(n > 0 && { n }) };
  }

  /** Keys of due calls that this attempt has not made: it no longer needs them. */
  droppedCalls(now: number): readonly string[] {
    const dropped = new Set<string>();
    for (const [key, retryAt] of this.#memo?.backoffs ?? []) if (retryAt <= now) dropped.add(key);
    if (dropped.size === 0) return none;
    for (const [first, count] of this.#occurrences ?? []) {
      for (let n = 0; n < count; n += 1) dropped.delete(callKey({ ...parseCallKey(first), n }));
    }
    return [...dropped];
  }

  /** The key of the body. */
  get key(): string {
    return this.keyOf({ type: 'step', place: { ...this.spec.place, name: nodeEffect } });
  }

  /** The key of a call. */
  keyOf(made: TypedPlace): string {
    return this.memo(made)?.key ?? keyInRun(this.state, { ...made.place, type: made.type });
  }

  /** The recorded result of a call, unless it came from outside after the body began: a later attempt will see that. */
  resultOf(memo: CallMemo | undefined): CallResult | undefined {
    const result = memo?.result;
    return result !== undefined && cameAfter(result, this.began) ? undefined : result;
  }

  /** The journal's memo of a call. */
  memo(made: TypedPlace): CallMemo | undefined {
    return this.#memo?.calls.get(keyOfPlace(made));
  }

  /** When a call that failed is tried again. */
  retryAt(made: TypedPlace): number | undefined {
    return this.#memo?.backoffs.get(keyOfPlace(made));
  }

  /** The recorded result of a call. One per tick, in journal order, so that a race has the same winner. */
  replay<T>(result: CallResult): Promise<T> {
    return this.busy(
      () =>
        new Promise<T>((resolve, reject) => {
          const { value, error } = result;
          const settle = (): void =>
            error === undefined ? resolve(privateCopy(value) as T) : reject(reviveError(error));
          this.order.replay(result, settle);
        }),
    );
  }

  /** Keeps the task from parking while the work is in flight. A dead task's work never settles. */
  async busy<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dead) return never();
    this.#inFlight += 1;
    this.#activity += 1;
    try {
      const value = await work();
      return this.#dead ? await never() : value;
    } catch (error) {
      if (this.#dead || this.host.owned.lost !== undefined) return await never();
      throw error;
    } finally {
      this.#inFlight -= 1;
      this.#considerParking();
    }
  }

  /** Waits. The attempt ends with it, unless the body finishes first. */
  raise(wait: RaisedWait | undefined, child?: ChildStart): Promise<never> {
    if (this.#dead) return never();
    const { openWaits } = this.host.owned.bounds;
    if (wait !== undefined && this.state.waits.size + (this.#raised?.length ?? 0) >= openWaits)
      return Promise.reject(tooManyWaits(this.state.runId, openWaits));
    if (wait !== undefined) (this.#raised ??= []).push(wait);
    if (child !== undefined) (this.#children ??= []).push(child);
    this.#waits += 1;
    this.#considerParking();
    return never();
  }

  /** Parks after a whole event-loop tick in which nothing happened. */
  #considerParking(): void {
    if (this.#waits === 0 || this.#dead) return;
    this.#activity += 1;
    const { env } = this.host;
    const mark = this.#activity;
    env.nextTick(() => {
      if (this.#dead || this.#inFlight > 0 || mark !== this.#activity) return;
      if (this.#expected !== undefined) this.#checkMissed(this.#expected.left(this.order.given, 'waits'), 'waits');
      if (this.#dead) return;
      this.#dead = true;
      this.#resolve?.({ type: 'parked', waits: this.#raised ?? none, children: this.#children ?? none });
    });
  }

  #settle(end: TaskEnd): void {
    if (this.#dead) return this.#warnOfLateEnd(end);
    this.#dead = true;
    this.#resolve?.(end);
  }

  /** Checks the return value of a node or its `catch`, and prepares it for the journal. */
  async toEnd(result: unknown): Promise<TaskEnd> {
    const { graph } = this.host;
    const { node } = this.spec;
    const over = againOf(result);
    if (node.work.type === 'workflow') {
      const gave =
        over === undefined
          ? { output: await validatedBy(this.host, 'The output', workflowOutput(graph, result)) }
          : { again: await validatedBy(this.host, 'The input of the next round', nextRound(graph, over.input)) };
      return { type: 'done', done: { update: {}, goto: undefined, ...gave } };
    }
    if (over !== undefined) throw againInGraph(node);
    const leap = gotoOf(result);
    const target = leap?.node;
    if (leap !== undefined && !(typeof target === 'string' && node.to.has(target))) throw invalidGoto(node, target);
    const preparing = prepareUpdate(graph.channels, leap === undefined ? result : leap.update);
    const update = await (preparing instanceof Promise ? validatedBy(this.host, 'The update', preparing) : preparing);
    // The channels are written together: each may be small enough, and all of them too large.
    survey(update, together);
    warnOfRepeats(this.host, node, update);
    return { type: 'done', done: { update, goto: target as string | undefined } };
  }

  /** The end of a body that threw, with the wrapped error. */
  failed(caught: unknown): FailedTask {
    const thrown = inspectable(caught);
    const { node, place } = this.spec;
    const details = { runId: this.state.runId, node: node.name, ...(place.item !== undefined && { item: place.item }) };
    const error = asHoldfastError(thrown, 'HOLDFAST_NODE_FAILED', `Node ${node.name}`, details);
    return { type: 'failed', error, thrown };
  }

  #warnOfLateEnd(end: TaskEnd): void {
    if (end.type !== 'done' || this.#aborted !== undefined) return;
    this.host.env.warn(
      `Node "${this.spec.node.name}" of run "${this.state.runId}" returned while it was waiting, so its result is discarded. Await every ask(), sleep(), receive() and child run.`,
    );
  }
}
