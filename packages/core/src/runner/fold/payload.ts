import type { PreparedUpdate } from '../../channel/update/prepare-update.ts';
import type { Deltas } from '../../delta/delta.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Entry, RecordKind } from '../../record/record.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import type { StoredError } from './stored-error.ts';

/** Which task of the open super-step: a node, and in an `each` which item of how many. */
export interface TaskPlace {
  readonly node: string;
  readonly item?: number | undefined;
  readonly of?: number | undefined;
}

/** Which call of a task: the n-th of its name, counted from 0. Inserting another name never shifts it. */
export interface CallPlace extends TaskPlace {
  readonly name: string;
  readonly n?: number | undefined;
}

/** What a run was told when it was started or forked; a turn may tell it anew. */
export interface RunSettings {
  readonly maxSupersteps?: number | undefined;
  readonly pauseBefore?: readonly string[] | undefined;
  readonly pauseAfter?: readonly string[] | undefined;
}

/** What a run waits for; `id` is the question's, the timer's or the effect's key. */
export type WaitKind = 'ask' | 'sleep' | 'receive' | 'child' | 'effect';

/** What the records of a graph run hold, by kind. What is as it is by default is left out. */
export interface Payloads {
  'run-start': {
    readonly graph: string;
    readonly version: number;
    readonly fingerprint: string;
    /** SHA-256 of the canonical input: the same start again is told by it. */
    readonly hash: string;
    readonly turn?: string | undefined;
    /** A workflow's input; a graph's is in the delta. */
    readonly input?: unknown;
    readonly delta?: Deltas | undefined;
    readonly next: readonly string[];
    readonly settings?: RunSettings | undefined;
    /** The wait of the parent that this run's end ends. */
    readonly wakes?: string | undefined;
  };
  task: TaskPlace & { readonly update?: PreparedUpdate | undefined; readonly goto?: string | undefined };
  superstep: {
    readonly delta?: Deltas | undefined;
    readonly next?: readonly string[] | undefined;
    /** The joins that some of their sources have reached. */
    readonly joins?: Readonly<Record<string, readonly string[]>> | undefined;
    /** How many items each `each` of the step had. */
    readonly counts?: Readonly<Record<string, number>> | undefined;
  };
  result: CallPlace & {
    readonly value?: unknown;
    readonly error?: StoredError | undefined;
    /** The message that a `receive` took. */
    readonly take?: number | undefined;
    /** The child whose end it is. */
    readonly child?: string | undefined;
  };
  intent: CallPlace & { readonly key: string };
  wait: CallPlace & {
    readonly id: string;
    readonly kind: WaitKind;
    readonly show?: unknown;
    readonly until?: number | undefined;
    readonly child?: string | undefined;
    /** The JSON Schema of an answer, where the schema's library gives one. */
    readonly schema?: unknown;
    /** The answer that came before the question. */
    readonly answer?: number | undefined;
    /** Answers kept for questions of an inner graph, which are the child's from now on. */
    readonly took?: readonly string[] | undefined;
    /** Keys of calls in backoff whose time has come and that the try did not make. */
    readonly dropped?: readonly string[] | undefined;
    /** How much of the journal the try had seen that parks; left out, all of it. */
    readonly seen?: number | undefined;
    /** The task parks again and waits for nothing new. */
    readonly again?: boolean | undefined;
  };
  answer:
    | AnswerGiven
    /** The executor's word on an answer that was given without the code at hand. */
    | { readonly wait: string; readonly of: number; readonly value?: unknown; readonly refused?: StoredError }
    /** A child has ended. */
    | { readonly wait: string; readonly child: string };
  message: MessageGiven | TurnGiven | { readonly name: string; readonly refused: StoredError; readonly of: number };
  timer: { readonly wait?: string | undefined };
  attempt: TaskPlace & {
    readonly name?: string | undefined;
    readonly n?: number | undefined;
    readonly error: StoredError;
    /** Undefined: it was the last one. */
    readonly retryAt?: number | undefined;
  };
  emit: { readonly items: readonly (TaskPlace & { readonly step?: string | undefined; readonly data: unknown })[] };
  turn: {
    /** The message that asked for it. */
    readonly of: number;
    readonly turn: string;
    readonly input?: unknown;
    readonly delta?: Deltas | undefined;
    readonly next: readonly string[];
    readonly settings?: RunSettings | undefined;
  };
  pause: { readonly when: 'before' | 'after'; readonly nodes: readonly string[] };
  resume: { readonly maxSupersteps?: number | undefined };
  cancel: { readonly reason?: string | undefined };
  settle: {
    readonly key: string;
    readonly outcome: { readonly result: unknown } | { readonly error: string } | 'retry';
  };
  'run-end': {
    readonly status: 'completed' | 'failed' | 'cancelled';
    readonly output?: unknown;
    readonly error?: StoredError | undefined;
    readonly reason?: string | undefined;
  };
  /** Without `delta` and `next`, the open super-step of the base goes on here. */
  fork: {
    readonly label?: string | undefined;
    readonly delta?: Deltas | undefined;
    readonly next?: readonly string[] | undefined;
    readonly settings?: RunSettings | undefined;
  };
  migrate: {
    readonly version: number;
    readonly fingerprint: string;
    readonly state: Readonly<Record<string, unknown>>;
    readonly nodes: Readonly<Record<string, string>>;
    readonly asks: Readonly<Record<string, string>>;
  };
}

/** An answer as it was given. */
interface AnswerGiven {
  readonly name: string;
  /** The question; left out, the first of its name that will be asked. */
  readonly wait?: string | undefined;
  readonly value: unknown;
  readonly by?: string | undefined;
  /** Whether the question's schema has had its say. */
  readonly checked?: boolean | undefined;
}

/** A message as it was sent. */
export interface MessageGiven {
  readonly name: string;
  readonly value: unknown;
  readonly checked?: boolean | undefined;
}

/** An input that waits for its turn. */
export interface TurnGiven {
  readonly turn: string;
  readonly hash: string;
  readonly update: PreparedUpdate;
  /** A workflow's. */
  readonly input?: unknown;
  readonly settings?: RunSettings | undefined;
}

/** The kinds that an engine writes with a payload of its own. */
export type EngineKind = keyof Payloads & RecordKind;

/** What a record of this kind holds. @throws HOLDFAST_CORRUPT */
export function payloadOf<K extends EngineKind>(entry: Entry, _kind: K): Payloads[K] {
  if (isPlainObject(entry.payload)) return entry.payload as unknown as Payloads[K];
  // A fork that changes nothing says nothing.
  if (entry.kind === 'fork' && entry.payload === undefined) return {} as Payloads[K];
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The ${entry.kind} record ${entry.runId}@${entry.seq} is empty. Run verify.`,
    {
      details: { runId: entry.runId, seq: entry.seq, where: `${entry.runId}@${entry.seq}` },
    },
  );
}
