import type { PreparedUpdate } from '../../channel/update/prepare-update.ts';
import type { Deltas } from '../../delta/delta.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Entry, RecordKind } from '../../record/record.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import type { StoredError } from './stored-error.ts';

/** A task of the open super-step: a node and, in an `each`, the item. */
export interface TaskPlace {
  readonly node: string;
  readonly item?: number | undefined;
  readonly of?: number | undefined;
}

/** A call of a task: the n-th with its name, from 0. Calls with other names never shift it. */
export interface CallPlace extends TaskPlace {
  readonly name: string;
  readonly n?: number | undefined;
}

/** Which function of the context makes a call. Calls of different types never share a record, even with the same name. */
export type CallType = 'step' | 'ask' | 'sleep' | 'receive' | 'child' | 'start' | DrawnType;

/** What a body draws: the value is there at once, so these calls have no order among the others. */
export type DrawnType = 'now' | 'uuid';

/** The name of the call of a `.graph` node. */
export const innerGraph = '.graph';

/** The name of the call that a node with `effect: 'once'` is. */
export const nodeEffect = '.node';

/** What the record of a call says about the body that made it. */
interface CallMade {
  /**
   * How many results the body had been given when it made the call; in the call's first record. Default: as many as the
   * journal has of its task.
   */
  readonly after?: number | undefined;
  /** The last record that the body had seen when it began. Default: results that came since were seen too. */
  readonly seen?: number | undefined;
}

/** The settings of a run from its start or fork. A turn may replace them. */
export interface RunSettings {
  readonly maxSupersteps?: number | undefined;
  /** How long the run, or each of its turns, may take. Counted again from every resume. */
  readonly timeoutMs?: number | undefined;
  readonly pauseBefore?: readonly string[] | undefined;
  readonly pauseAfter?: readonly string[] | undefined;
}

/** What a run waits for. `id` is the key of the question, timer or effect. */
export type WaitKind = 'ask' | 'sleep' | 'receive' | 'child' | 'effect';

/** The payloads of a graph run's records, by kind. Default values are left out. */
export interface Payloads {
  'run-start': {
    readonly graph: string;
    readonly version: number;
    readonly fingerprint: string;
    /** SHA-256 of the canonical input, which identifies a repeated start. */
    readonly hash: string;
    readonly turn?: string | undefined;
    /** A workflow's input; a graph's is in the delta. */
    readonly input?: unknown;
    readonly delta?: Deltas | undefined;
    readonly next: readonly string[];
    readonly settings?: RunSettings | undefined;
    /** The parent's wait that ends when this run ends. */
    readonly wakes?: string | undefined;
  };
  task: TaskPlace & {
    readonly update?: PreparedUpdate | undefined;
    readonly goto?: string | undefined;
    readonly output?: unknown;
    /** The workflow starts over, with this input. */
    readonly again?: { readonly input?: unknown } | undefined;
  };
  superstep: {
    readonly delta?: Deltas | undefined;
    readonly next?: readonly string[] | undefined;
    /** Joins with some of their sources arrived. */
    readonly joins?: Readonly<Record<string, readonly string[]>> | undefined;
    /** How many items each `each` of the super-step had. */
    readonly counts?: Readonly<Record<string, number>> | undefined;
    /** The workflow starts over, with this input. Such super-steps do not count for the limit. */
    readonly again?: { readonly input?: unknown } | undefined;
  };
  result: CallPlace &
    CallMade & {
      /** Default: what `take` and `child` say, or a step. */
      readonly type?: CallType | undefined;
      readonly value?: unknown;
      readonly error?: StoredError | undefined;
      /** The message that a `receive` took. */
      readonly take?: number | undefined;
      /** The name of a message that was taken elsewhere, in the replay of a fixture. */
      readonly from?: string | undefined;
      /** The child whose end it is. */
      readonly child?: string | undefined;
    };
  intent: CallPlace & CallMade & { readonly key: string };
  wait: CallPlace &
    CallMade & {
      readonly id: string;
      readonly kind: WaitKind;
      readonly show?: unknown;
      readonly until?: number | undefined;
      readonly child?: string | undefined;
      /** The JSON Schema of an answer, if the schema's library produces one. */
      readonly schema?: unknown;
      /** The answer that came before the question. */
      readonly answer?: number | undefined;
      /** Kept answers to questions of an inner graph. They belong to the child from now on. */
      readonly took?: readonly string[] | undefined;
      /** Keys of due calls that the attempt did not make. */
      readonly dropped?: readonly string[] | undefined;
      /** The task parks again without a new wait. */
      readonly again?: boolean | undefined;
    };
  answer:
    | AnswerGiven
    /** The executor's verdict on an answer that was given without the code. */
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
  emit: { readonly items: readonly EmittedItem[] };
  log: LoggedLine;
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
  resume: {
    readonly maxSupersteps?: number | undefined;
    /** The body may continue without the calls that are recorded so far. */
    readonly accept?: 'diverged' | undefined;
    /** Who resumed it; the same in the records of other commands. */
    readonly by?: string | undefined;
  };
  cancel: { readonly reason?: string | undefined; readonly by?: string | undefined };
  settle: {
    readonly key: string;
    readonly outcome: { readonly result: unknown } | { readonly error: string } | 'retry';
    readonly by?: string | undefined;
  };
  'run-end': {
    readonly status: 'completed' | 'failed' | 'cancelled';
    readonly output?: unknown;
    readonly error?: StoredError | undefined;
    readonly reason?: string | undefined;
  };
  /** Without `delta` and `next`, the fork continues the open super-step of its base. */
  fork: {
    readonly label?: string | undefined;
    readonly by?: string | undefined;
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
    /** New names of steps, sleeps, messages and children. Null: the call is gone. */
    readonly steps?: Readonly<Record<string, string | null>> | undefined;
    /** The present names of all messages that were ever renamed, by each of their former names. */
    readonly messages?: Readonly<Record<string, string>> | undefined;
  };
}

/** A value that a body or a step emitted. */
export interface EmittedItem extends TaskPlace {
  readonly step?: string | undefined;
  /** The step is the n-th with its name, from 0. */
  readonly n?: number | undefined;
  /** The attempt of the step, or of the node if no step emitted it. Default: 1. */
  readonly attempt?: number | undefined;
  /** The journal's head when this execution of the body or the step began. */
  readonly began: number;
  readonly data: unknown;
}

/** A line that a body or a step logged. */
interface LoggedLine extends TaskPlace {
  /** The attempt of the node. Default: 1. */
  readonly attempt?: number | undefined;
  /** A step logged it: the body, which runs again without that step, does not log it again. */
  readonly inStep?: boolean | undefined;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer as it was given. */
interface AnswerGiven {
  readonly name: string;
  /** The question. Default: the first one with its name that is asked. */
  readonly wait?: string | undefined;
  readonly value: unknown;
  readonly by?: string | undefined;
  /** Whether the question's schema has validated it. */
  readonly checked?: boolean | undefined;
}

/** A message as it was sent. */
export interface MessageGiven {
  readonly name: string;
  readonly value: unknown;
  readonly by?: string | undefined;
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

/** The kinds with a payload that the engine defines. */
export type EngineKind = keyof Payloads & RecordKind;

/** The payload of a record of this kind. @throws HOLDFAST_CORRUPT */
export function payloadOf<K extends EngineKind>(entry: Entry, _kind: K): Payloads[K] {
  if (isPlainObject(entry.payload)) return entry.payload as unknown as Payloads[K];
  // A fork without changes has no payload.
  if (entry.kind === 'fork' && entry.payload === undefined) return {} as Payloads[K];
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The ${entry.kind} record ${entry.runId}@${entry.seq} is empty. Run verify.`,
    {
      details: { runId: entry.runId, seq: entry.seq, where: `${entry.runId}@${entry.seq}` },
    },
  );
}
