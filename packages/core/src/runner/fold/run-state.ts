import type { PreparedUpdate } from '../../channel/update/prepare-update.ts';
import type { FoldState } from '../../delta/cell.ts';
import { callKey, type TypedCall } from './call/call-type.ts';
import type { CallPlace, MessageGiven, RunSettings, TaskPlace, TurnGiven, WaitKind } from './payload.ts';
import type { StoredError } from './stored-error.ts';

/**
 * A graph run, folded from its journal: the channels, and everything that planning the next super-step needs.
 * `foldRecord` changes it in place: otherwise a super-step with 10,000 items would copy its memo 10,000 times.
 */
export interface RunState {
  runId: string;
  head: number;
  graph: string;
  version: number;
  fingerprint: string;
  /** SHA-256 of the input that the run was started with. */
  hash: string;
  /** A workflow's input. */
  input: unknown;
  /** The parent's wait that ends when this run ends. */
  wakes: string | undefined;
  values: FoldState;
  /** Super-steps done. */
  superstep: number;
  frontier: readonly string[];
  /** The sources that have arrived, by the join's key. */
  joins: ReadonlyMap<string, readonly string[]>;
  turn: Turn;
  settings: RunSettings;
  /** When the run fails unless it has ended, by its settings. */
  deadline: number | undefined;
  /** Tasks of the open super-step that have records, by `taskKey`. */
  open: Map<string, TaskMemo>;
  /** How many items each `each` of the open super-step has. */
  counts: Map<string, number>;
  /** Open waits, in the order in which they began. */
  waits: Map<string, OpenWait>;
  /** Waits for children that ended before the wait was journalled. */
  endedChildren: Set<string>;
  /** Children of the open super-step that no task waits for any more: they are cancelled before it ends. */
  abandoned: Set<string>;
  /** Messages that were sent but not received yet, oldest first. */
  messages: Map<string, KeptMessage[]>;
  /** Answers that came before their question, by the question's name. */
  answers: Map<string, KeptAnswer>;
  /** The last question of each name that was asked. `node/` is the last child of a `.graph` node, which asks its own. */
  asked: Map<string, AskedQuestion>;
  /** Inputs that wait for their turn. */
  turns: QueuedTurn[];
  /** Records of inputs that were queued when the run was forked. They are turns of the base, not of the fork. */
  droppedTurns: readonly number[];
  /** The present names of nodes and questions that migrations have renamed, by old name. */
  renamedNodes: ReadonlyMap<string, string>;
  renamedAsks: ReadonlyMap<string, string>;
  /** The same of messages. */
  renamedMessages: ReadonlyMap<string, string>;
  /** What nodes were called when the open super-step began, by present name. The keys of their calls must not change. */
  formerNodes: ReadonlyMap<string, string>;
  paused: Paused | undefined;
  /** The super-step that `resume` continued, so that it is not paused again. */
  passedSuperstep: number | undefined;
  cancel: { readonly reason: string | undefined } | undefined;
  end: RunEnd | undefined;
}

/** The current turn. */
interface Turn {
  readonly name: string | undefined;
  /** Super-steps done since it began. */
  readonly steps: number;
  /** The record that began it. */
  readonly seq: number;
}

/** How the run ended. */
interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly output?: unknown;
  readonly error?: StoredError | undefined;
  readonly reason?: string | undefined;
}

/** Where the run was told to pause. */
export interface Paused {
  readonly when: 'before' | 'after';
  readonly nodes: readonly string[];
  readonly since: number;
}

/** A task of the open super-step. */
export interface TaskMemo {
  readonly place: TaskPlace;
  /** Failed attempts. */
  attempts: number;
  retryAt: number | undefined;
  done: TaskDone | undefined;
  /** The error of the last attempt. */
  failed: StoredError | undefined;
  readonly calls: Map<string, CallMemo>;
  /** How many of its calls have a result. */
  results: number;
  /** When its failed calls are tried again, by `callKey`. Few calls ever fail, and every commit asks for these times. */
  readonly backoffs: Map<string, number>;
  /** The last record that its parked attempt had seen. Undefined if it has not parked. */
  parked: number | undefined;
  /** The last record that ended one of its waits. */
  woken: number;
  /** What its body drew with `now` and `uuid`, by `callKey`. */
  drawn?: Map<string, unknown> | undefined;
  /** How many lines the body has logged in its present attempt. Default: none. */
  logged?: number | undefined;
}

/** The result of a finished task. */
export interface TaskDone {
  readonly update: PreparedUpdate;
  readonly goto: string | undefined;
  /** What a workflow returned. */
  readonly output?: unknown;
  /** The workflow starts over, with this input. */
  readonly again?: Round | undefined;
}

/** A round of a workflow that starts over. */
export interface Round {
  readonly input?: unknown;
}

/** One `step`, `ask`, `sleep`, `receive`, `child` or `start` of a task. */
export interface CallMemo {
  attempts: number;
  /** The key of a 'once' effect that started and may not have finished. */
  intent: string | undefined;
  wait: OpenWait | undefined;
  /** It is, or was, a question: a migration may rename it. */
  isAsk?: boolean | undefined;
  result: CallResult | undefined;
  /** How many results the body had been given when it made the call. */
  after: number;
  /** It is, or was, an effect that must not be repeated. */
  isOnce?: boolean | undefined;
  /** It is an effect of an attempt that failed: `after` says nothing about the next attempt. */
  isOfFailedAttempt?: boolean | undefined;
  /** The body may go another way than the one that made this call. */
  isOptional?: boolean | undefined;
  /** Its key, if a migration has renamed it since. */
  key?: string | undefined;
}

/** What a call settles with whenever the body runs again. `order` is its position among the calls. */
export interface CallResult {
  readonly order: number;
  readonly value?: unknown;
  readonly error?: StoredError | undefined;
  /** The child whose end it is. */
  readonly child?: string | undefined;
  /** The name of the message that it is. */
  readonly from?: string | undefined;
  /** It came from outside, such as an answer. A body that was already running has not seen it. */
  readonly isExternal?: boolean | undefined;
}

/** Something that a task waits for. */
export interface OpenWait {
  readonly id: string;
  readonly kind: WaitKind;
  readonly place: CallPlace;
  readonly seq: number;
  readonly since: number;
  readonly until: number | undefined;
  readonly show: unknown;
  readonly schema: unknown;
  readonly child: string | undefined;
  /** The child has ended, but its outcome was not read yet. */
  childEnded: boolean;
  /** Answers that were not validated yet. */
  readonly unchecked: KeptAnswer[];
}

/** An answer and the record it came in. */
export interface KeptAnswer {
  readonly seq: number;
  readonly value: unknown;
  readonly by: string | undefined;
  readonly checked: boolean;
}

/** A message and the record it came in. */
export interface KeptMessage extends Pick<MessageGiven, 'value'> {
  readonly seq: number;
  readonly checked: boolean;
}

/** A question that was asked, and the accepted answer. Without one, the question is open or was closed unanswered. */
export interface AskedQuestion {
  readonly wait: string;
  readonly answer?: GivenAnswer | undefined;
}

/** The value of an answer, and who gave it. */
interface GivenAnswer {
  readonly value: unknown;
  readonly by: string | undefined;
}

/** An input that waits for its turn, and the record it came in. */
export interface QueuedTurn extends TurnGiven {
  readonly seq: number;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** The state of a run before its first record. */
export function newRunState(runId: string): RunState {
  return {
    runId,
    head: 0,
    graph: '',
    version: 0,
    fingerprint: '',
    hash: '',
    input: undefined,
    wakes: undefined,
    values: new Map(),
    superstep: 0,
    frontier: [],
    joins: new Map(),
    turn: { name: undefined, steps: 0, seq: 0 },
    settings: {},
    deadline: undefined,
    open: new Map(),
    counts: new Map(),
    waits: new Map(),
    endedChildren: new Set(),
    abandoned: new Set(),
    messages: new Map(),
    answers: new Map(),
    asked: new Map(),
    turns: [],
    droppedTurns: [],
    renamedNodes: noNames,
    renamedAsks: noNames,
    renamedMessages: noNames,
    formerNodes: noNames,
    paused: undefined,
    passedSuperstep: undefined,
    cancel: undefined,
    end: undefined,
  };
}

/** The name of a task within its super-step. */
export function taskKey({ node, item }: TaskPlace): string {
  return item === undefined ? node : `${node}/${item}`;
}

/** The memo of a task. Created if missing. */
export function taskMemo(state: RunState, place: TaskPlace): TaskMemo {
  const key = taskKey(place);
  let memo = state.open.get(key);
  if (memo === undefined) {
    const { node, item, of } = place;
    if (of !== undefined) state.counts.set(node, of);
    memo = {
      place: item === undefined ? { node } : { node, item, of },
      attempts: 0,
      retryAt: undefined,
      done: undefined,
      failed: undefined,
      calls: new Map(),
      results: 0,
      backoffs: new Map(),
      parked: undefined,
      woken: 0,
    };
    state.open.set(key, memo);
  }
  return memo;
}

/** The memo of a call. Created if missing. */
export function callMemo(state: RunState, made: TypedCall): CallMemo {
  const { calls } = taskMemo(state, made);
  const key = callKey(made);
  let memo = calls.get(key);
  if (memo === undefined) {
    memo = { attempts: 0, intent: undefined, wait: undefined, result: undefined, after: 0 };
    calls.set(key, memo);
  }
  return memo;
}
