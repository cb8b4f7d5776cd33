import type { StateOf } from '../channel/channels.ts';
import type { Until } from '../time/deadline.ts';
import type { AnswerOut, ShowArgument, ShowIn } from './ask.ts';
import type { Receive, Sleep } from './body/waiting.ts';
import type { Declared } from './declared.ts';
import type { StepPolicy } from './policy.ts';
import type { Graph, Shape, Uncompiled, UncompiledShape } from './shape.ts';
import type { StepInfo, Storable } from './step-fn.ts';

/**
 * What a node or workflow can do. These are functions, not methods, so you can destructure them.
 *
 * @example
 * ```ts
 * const welcome = workflow('welcome', { input: z.string() }, async (name, { step, sleep, now }) => {
 *   await sleep('1d');
 *   return step('mail', () => `Hello ${name}, it is ${now().toISOString()}`);
 * });
 * ```
 */
export interface Context<D extends Declared> {
  readonly runId: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /**
   * An idempotency key for what the body does: the same in every attempt and after a crash, another one in every
   * super-step, item and fork. A valid run id. Each step has one of its own.
   *
   * ```ts
   * .node('charge', async ({ state, key }) => ({ receipt: await bank.charge(state.cents, { idempotencyKey: key }) }))
   * ```
   */
  readonly key: string;
  /**
   * What the graph was given to work with, such as clients of services. Never journalled; `graph.with` replaces it in tests.
   *
   * ```ts
   * .node('answer', async ({ state, step, deps }) => ({ reply: await step('llm', () => deps.llm(state.question)) }))
   * ```
   */
  readonly deps: D['deps'];
  /**
   * Runs once per run. Its result is journalled and returned when the node body runs again. So is its final error, until
   * `resume`. The result is durable before the next step begins, the run waits or the node ends; with `effect: 'once'`, when
   * the call returns. The body gets a copy of its own, which it may change.
   */
  readonly step: <T>(
    name: string,
    fn: ((info: StepInfo<D['emits']>) => T | Promise<T>) & Storable<NoInfer<T>>,
    policy?: StepPolicy,
  ) => Promise<T>;
  /**
   * Waits until a person (or program) answers. Answers are matched by name, never by call order. With a timeout, returns
   * undefined if nobody answered in time, and the question is withdrawn.
   */
  readonly ask: {
    <K extends keyof D['asks'] & string>(
      name: K,
      ...show: ShowArgument<D['asks'][K]>
    ): Promise<AnswerOut<D['asks'][K]>>;
    <K extends keyof D['asks'] & string>(
      name: K,
      show: ShowIn<D['asks'][K]>,
      options: { readonly timeout: Until },
    ): Promise<AnswerOut<D['asks'][K]> | undefined>;
  };
  readonly receive: Receive<D['receives']>;
  readonly sleep: Sleep;
  /**
   * Starts another graph or workflow as a child run, here or on any worker, and waits until it ends. Rejects with its
   * error if it fails.
   */
  readonly child: <S extends Shape = UncompiledShape>(
    name: string,
    graph: Graph<S> | Uncompiled,
    input: S['input'],
    options?: { readonly tags?: Readonly<Record<string, string>> | undefined },
  ) => Promise<S['output']>;
  /**
   * Starts another graph or workflow once, and continues without waiting for it. Unlike a `child` it is a run of its own: it
   * has no parent, is not cancelled with this run, and its failure is its own. Resolves with the run's id as soon as the
   * run exists. Default id: the key of this call.
   *
   * ```ts
   * const id = await start('receipt', sendReceipt, { order: order.id });
   * ```
   *
   * @throws HOLDFAST_INVALID_VALUE, HOLDFAST_INPUT_MISMATCH
   */
  readonly start: <S extends Shape>(
    name: string,
    graph: Graph<S>,
    input: S['input'],
    options?: { readonly id?: string | undefined; readonly tags?: Readonly<Record<string, string>> | undefined },
  ) => Promise<string>;
  /**
   * Streams data to listeners, such as tokens or progress. It is not part of the state. If the graph declares `emits`,
   * emits are journalled in small batches, so a client that reconnects misses nothing; otherwise they are live only. A
   * body that runs again emits again: inside a step, use the step's `emit`.
   */
  readonly emit: (data: D['emits']) => void;
  /**
   * The time, journalled: a body that runs again, also after a failed attempt, is given the same one. So it can decide what
   * happens next. Inside a step it is the present time, like `new Date()`.
   *
   * ```ts
   * const isLate = now() > order.dueAt;
   * ```
   */
  readonly now: () => Date;
  /**
   * A random UUID, journalled like `now`.
   *
   * ```ts
   * const id = uuid();
   * await step('insert', () => database.insert({ id, ...order }));
   * ```
   */
  readonly uuid: () => string;
  /**
   * Writes a line to the run's journal, for people: `run.events()` and `holdfast log` show it. A body that runs again after
   * a wait or a crash does not write it again; the next attempt of a failed node does. Data that cannot be stored is
   * replaced by a text that says why.
   *
   * ```ts
   * log('charged', { cents: 4_200 });
   * ```
   */
  readonly log: (message: string, data?: unknown) => void;
}

/**
 * What a node of a graph can do: a context with the state at the start of the super-step.
 *
 * @example
 * ```ts
 * const base = graph('orders', { state: { cents: z.number() } });
 * const check = ({ state }: ContextOf<typeof base>) => ({ cents: state.cents + 1 }); // ContextOf gives a NodeContext
 * ```
 */
export interface NodeContext<D extends Declared> extends Context<D> {
  /** Read-only all the way down: return an update to change it. */
  readonly state: StateOf<D['state']>;
}
