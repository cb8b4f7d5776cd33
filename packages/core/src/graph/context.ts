import type { StateOf } from '../channel/channels.ts';
import type { NewRecord } from '../record/check-new-record.ts';
import type { Until } from '../time/deadline.ts';
import type { AnswerOut, ShowArgument, ShowIn } from './ask.ts';
import type { Receive, Sleep } from './body/waiting.ts';
import type { Declared } from './declared.ts';
import type { StepPolicy } from './policy.ts';
import type { Graph, Shape, Uncompiled, UncompiledShape } from './shape.ts';
import type { StepFn } from './step-fn.ts';

/** What a node or workflow can do. These are functions, not methods, so you can destructure them. */
export interface Context<D extends Declared> {
  readonly runId: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /**
   * Runs once per run. Its result is journalled and returned when the node body runs again. So is its final error, until
   * `resume`.
   */
  readonly step: <T>(name: string, fn: StepFn<T, D['emits']>, policy?: StepPolicy) => Promise<T>;
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
   * Streams data to listeners, such as tokens or progress. It is not part of the state. If the graph declares `emits`,
   * emits are journalled in small batches, so a client that reconnects misses nothing; otherwise they are live only. A
   * body that runs again emits again: inside a step, use the step's `emit`.
   */
  readonly emit: (data: D['emits']) => void;
  /** Appends your own record to the run's journal. */
  readonly note: (record: NewRecord) => void;
}

/** What a node of a graph can do: a context with the state at the start of the super-step. */
export interface NodeContext<D extends Declared> extends Context<D> {
  readonly state: StateOf<D['state']>;
}
