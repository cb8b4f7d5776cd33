import { holdfastError } from '../../errors/holdfast-error.ts';
import type { StepPolicy } from '../../graph/policy.ts';
import type { AnyGraph } from '../../graph/shape.ts';
import type { Until } from '../../time/deadline.ts';
import { callChildOf } from './call/call-child.ts';
import { checkCallName } from './call/call-name.ts';
import { callReceive, callReceiveAny, type WaitOptions } from './call/call-receive.ts';
import { callSleep } from './call/call-sleep.ts';
import { callStart, type StartCall } from './call/call-start.ts';
import { callStep } from './call/step-call.ts';
import type { StepCallInfo } from './call/step-call-info.ts';
import { callAsk } from './task-calls.ts';
import type { TaskRun } from './task-run.ts';

/**
 * The context of a body. Its functions can be destructured, and are created on first use: a body pays only for those that
 * it uses.
 */
export class TaskContext {
  readonly #task: TaskRun;

  constructor(task: TaskRun) {
    this.#task = task;
  }

  get state(): object {
    return this.#task.host.view();
  }

  get index(): number | undefined {
    return this.#task.spec.place.item;
  }

  get runId(): string {
    return this.#task.state.runId;
  }

  get tags(): Readonly<Record<string, string>> {
    return this.#task.host.tags;
  }

  get attempt(): number {
    return this.#task.attempt;
  }

  get signal(): AbortSignal {
    return this.#task.signal;
  }

  get deps(): object {
    return this.#task.host.graph.deps;
  }

  get key(): string {
    return this.#task.key;
  }

  get step(): (name: string, fn: (info: StepCallInfo) => unknown, policy?: StepPolicy) => Promise<unknown> {
    const task = this.#task;
    return async (name, fn, policy) => {
      checkOutside(task, 'step');
      const made = task.call('step', checkCallName(name));
      const { place } = made;
      const memo = task.memo(made);
      const result = task.resultOf(memo);
      if (memo === undefined || result === undefined)
        return callStep({ task, made, fn: checkFunction(name, fn), policy });
      const replayed = task.replay(result);
      if (result.error === undefined) task.host.onStep(place, memo.attempts + 1, 'replayed');
      return replayed;
    };
  }

  get ask(): (name: string, show: unknown, options?: WaitOptions) => Promise<unknown> {
    const task = this.#task;
    return async (name, show, options) => {
      checkOutside(task, 'ask');
      return callAsk(task, name, show, options);
    };
  }

  get receive(): (names: string | readonly string[], options?: WaitOptions) => Promise<unknown> {
    const task = this.#task;
    return async (names, options) => {
      checkOutside(task, 'receive');
      return typeof names === 'string' ? callReceive(task, names, options) : callReceiveAny(task, names, options);
    };
  }

  get sleep(): (...given: readonly [Until] | readonly [string, Until]) => Promise<void> {
    const task = this.#task;
    return async (...given) => {
      checkOutside(task, 'sleep');
      return callSleep(task, given);
    };
  }

  get child(): (
    name: string,
    graph: AnyGraph,
    input: unknown,
    options?: { readonly tags?: unknown },
  ) => Promise<unknown> {
    const task = this.#task;
    return async (name, graph, input, options) => {
      checkOutside(task, 'child');
      return callChildOf(task, name, graph, input, options);
    };
  }

  get start(): (name: string, graph: AnyGraph, input: unknown, options?: StartCall['options']) => Promise<unknown> {
    const task = this.#task;
    return async (name, graph, input, options) => {
      checkOutside(task, 'start');
      return callStart(task, { name, graph, input, options });
    };
  }

  get emit(): (data: unknown) => void {
    const task = this.#task;
    return (data) => {
      if (task.isDead) return;
      const { spec, attempt, began, host } = task;
      host.emit({ ...spec.place, ...(attempt > 1 && { attempt }), began, data });
    };
  }

  get now(): () => Date {
    const task = this.#task;
    return () => new Date(task.drawn.now());
  }

  get uuid(): () => string {
    const task = this.#task;
    return () => task.drawn.uuid();
  }

  get log(): (message: string, data?: unknown) => void {
    const task = this.#task;
    return (message, data) => task.drawn.log(message, data);
  }
}

/** A step that waits for its own task would wait forever: the task parks only when no step is in flight. */
function checkOutside(task: TaskRun, call: string): void {
  if (task.host.env.calls.owner() !== task) return;
  const { name, isOnce } = task.spec.node;
  const why = isOnce
    ? `${call} was called in node "${name}", which has effect: 'once' and so runs as one step. Put the effect in a step of the node instead, or in a node of its own.`
    : `${call} was called inside a step of node "${name}", where it would never return. Call it in the node's body, before or after the step.`;
  throw holdfastError('HOLDFAST_NESTED_CALL', why, { details: { node: name, call } });
}

function checkFunction(name: string, fn: unknown): (info: StepCallInfo) => unknown {
  if (typeof fn === 'function') return fn as (info: StepCallInfo) => unknown;
  throw holdfastError('HOLDFAST_INVALID_OPTION', `Step "${name}" needs a function, not ${typeof fn}.`, {
    details: { option: name },
  });
}
