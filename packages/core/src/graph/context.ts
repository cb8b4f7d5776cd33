import type { StateOf } from '../channel/channels.ts';
import type { Out } from '../channel/schema.ts';
import type { NewRecord } from '../record/check-new-record.ts';
import type { Duration } from '../time/duration.ts';
import type { AnswerOut, ShowIn } from './ask.ts';
import type { Declared } from './declared.ts';
import type { StepPolicy } from './policy.ts';
import type { Graph, Shape } from './shape.ts';

/**
 * What a step is told. `key` is stable across attempts, differs in a fork, and is a valid run id. What a step emits is
 * seen once: a step that has finished does not run again.
 */
export interface StepInfo<E = unknown> {
  readonly signal: AbortSignal;
  readonly key: string;
  readonly attempt: number;
  /** Streams to whoever listens, as the context's. */
  readonly emit: (data: E) => void;
}

/** What a node or workflow can do. Functions, not methods: they are made to be destructured. */
export interface Context<D extends Declared> {
  readonly runId: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /**
   * Runs once per run: its result, or (until `resume`) the error it failed with for good, is journalled and given back
   * when the node body runs again.
   */
  readonly step: <T>(
    name: string,
    fn: (info: StepInfo<D['emits']>) => T | Promise<T>,
    policy?: StepPolicy,
  ) => Promise<T>;
  /**
   * Parks the run until a person (or program) answers; matched by name, never by call order. With a timeout: undefined
   * when nobody did, and the question is withdrawn.
   */
  readonly ask: {
    <K extends keyof D['asks'] & string>(name: K, show: ShowIn<D['asks'][K]>): Promise<AnswerOut<D['asks'][K]>>;
    <K extends keyof D['asks'] & string>(
      name: K,
      show: ShowIn<D['asks'][K]>,
      options: { readonly timeout: Duration },
    ): Promise<AnswerOut<D['asks'][K]> | undefined>;
  };
  /** Takes the next value of `run.send(name, value)`; those sent before are kept, in order. */
  readonly receive: {
    <K extends keyof D['receives'] & string>(name: K): Promise<Out<D['receives'][K]>>;
    <K extends keyof D['receives'] & string>(
      name: K,
      options: { readonly timeout: Duration },
    ): Promise<Out<D['receives'][K]> | undefined>;
  };
  /** Parks the run for that long; the time goes on while no process runs. */
  readonly sleep: (name: string, duration: Duration) => Promise<void>;
  /**
   * Runs another graph or workflow as a run of its own, linked to this one, here or on any worker, and parks until it
   * has ended. Rejects as it failed.
   */
  readonly child: <S extends Shape>(
    name: string,
    graph: Graph<S>,
    input: S['input'],
    options?: { readonly tags?: Readonly<Record<string, string>> | undefined },
  ) => Promise<S['output']>;
  /**
   * Streams to whoever listens (tokens, progress); not part of the state. Where the graph declares `emits`, journalled
   * in small batches, so that who reconnects misses nothing; otherwise live only. A body that runs again emits again:
   * inside a step, use the step's.
   */
  readonly emit: (data: D['emits']) => void;
  /** A record of the user's own in the run's journal. */
  readonly note: (record: NewRecord) => void;
}

/** What a node of a graph can do: a context with the state as it was when the step began. */
export interface NodeContext<D extends Declared> extends Context<D> {
  readonly state: StateOf<D['state']>;
}
