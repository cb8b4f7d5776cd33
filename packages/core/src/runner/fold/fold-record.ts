import { parseUpdate } from '../../channel/update/prepare-update.ts';
import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { messagesNamed } from './call/call-names.ts';
import { callKey, callOfWait, type TypedCall, typeOfResult, typeOfWait } from './call/call-type.ts';
import { allowAnotherWay, delayUnseen, forgetResults, noteCall } from './call/made-calls.ts';
import {
  foldAnswer,
  foldMessage,
  foldResolve,
  takeFrom,
  takeKeptAnswer,
  takeOut,
  wakeByMessages,
} from './fold-external.ts';
import { foldFork } from './fold-lineage.ts';
import { foldMigrate } from './fold-migrate.ts';
import {
  closeStep,
  closeUnmet,
  dropBackoff,
  endBackoff,
  forgetFailures,
  park,
  settleCall,
  withdrawWaits,
} from './open-superstep.ts';
import { innerGraph, nodeEffect, type Payloads, payloadOf } from './payload.ts';
import { deadlineOf } from './run-deadline.ts';
import { type CallResult, callMemo, type OpenWait, type RunState, taskMemo } from './run-state.ts';

/**
 * Folds a record into the state of its run, without user code. Pass `values` if the channels after the record are already
 * known: it saves the work.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function foldRecord(state: RunState, entry: Entry, values?: FoldState): void {
  const { kind } = entry;
  state.head = entry.seq;
  switch (kind) {
    case 'superstep':
      return foldStep(state, entry, values);
    case 'run-start':
      return foldStart(state, entry, values);
    case 'turn':
      return foldTurn(state, entry, values);
    case 'task':
      return foldTask(state, entry);
    case 'result':
      return foldResult(state, entry);
    case 'intent':
      return foldIntent(state, entry);
    case 'attempt':
      return foldAttempt(state, entry);
    case 'wait':
      return foldWait(state, entry);
    case 'timer':
      return foldTimer(state, entry);
    case 'answer':
      return foldAnswer(state, entry);
    case 'message':
      return foldMessage(state, entry);
    case 'settle':
      return foldResolve(state, entry);
    case 'cancel':
      state.cancel = { reason: payloadOf(entry, 'cancel').reason };
      return;
    case 'pause':
      state.paused = { ...payloadOf(entry, 'pause'), since: entry.at };
      return;
    case 'resume':
      return foldResume(state, payloadOf(entry, 'resume'), entry.at);
    case 'run-end':
      return foldEnd(state, payloadOf(entry, 'run-end'));
    case 'fork':
      return foldFork(state, entry, values);
    case 'migrate':
      return foldMigrate(state, entry, values);
    case 'log':
      return foldLog(state, payloadOf(entry, 'log'));
    case 'note':
    case 'emit':
    case 'checkpoint':
      return;
  }
}

function foldStart(state: RunState, entry: Entry, values?: FoldState): void {
  const { graph, version, fingerprint, hash, turn, input, next, settings, wakes } = payloadOf(entry, 'run-start');
  Object.assign(state, { graph, version, fingerprint, hash, wakes });
  state.input = frozenCopy(input);
  state.values = values ?? foldEntry(state.values, entry);
  state.frontier = next;
  state.settings = settings ?? {};
  state.deadline = deadlineOf(state.settings, entry.at);
  state.turn = { name: turn, steps: 0, seq: entry.seq };
}

function foldStep(state: RunState, entry: Entry, values?: FoldState): void {
  const { next = [], joins, again } = payloadOf(entry, 'superstep');
  state.values = values ?? foldEntry(state.values, entry);
  state.frontier = next;
  state.joins = joins === undefined ? noJoins : new Map(Object.entries(joins));
  state.superstep += 1;
  const { name, steps, seq } = state.turn;
  // Rounds of a workflow are not counted: a loop that starts over may be endless on purpose.
  state.turn = { name, steps: again === undefined ? steps + 1 : steps, seq };
  if (again !== undefined) state.input = frozenCopy(again.input);
  closeStep(state);
}

const noJoins: RunState['joins'] = new Map();

function foldTurn(state: RunState, entry: Entry, values?: FoldState): void {
  const { of, turn, input, next, settings } = payloadOf(entry, 'turn');
  takeOut(state.turns, of);
  state.values = values ?? foldEntry(state.values, entry);
  state.input = frozenCopy(input);
  state.frontier = next;
  state.joins = noJoins;
  state.settings = { ...state.settings, ...settings };
  state.deadline = deadlineOf(state.settings, entry.at);
  state.turn = { name: turn, steps: 0, seq: entry.seq };
  state.end = undefined;
  closeStep(state);
}

function foldTask(state: RunState, entry: Entry): void {
  const { update, goto, output, again, ...place } = payloadOf(entry, 'task');
  if (place.of === 0) {
    state.counts.set(place.node, 0);
    return;
  }
  const memo = taskMemo(state, place);
  memo.done = {
    update: parseUpdate(update),
    goto,
    ...(output !== undefined && { output: frozenCopy(output) }),
    ...(again !== undefined && { again: frozenCopy(again) }),
  };
  memo.failed = undefined;
  withdrawWaits(state, memo);
}

function foldResult(state: RunState, entry: Entry): void {
  const { value, error, take, from, child, type, after, seen, ...place } = payloadOf(entry, 'result');
  if (type === 'now' || type === 'uuid') return foldDrawn(state, { ...place, type }, value);
  const made = { ...place, type: typeOfResult({ type, take, child }) };
  noteCall(state, made, { after, seen, seq: entry.seq });
  const given = take === undefined ? { value: frozenCopy(value), from } : takenMessage(state, place.name, take);
  settleCall(state, made, { order: entry.seq, ...given, error, child });
}

/** Not counted as a result: the body had it at once, so nothing waited for it. */
function foldDrawn(state: RunState, made: TypedCall, value: unknown): void {
  const memo = taskMemo(state, made);
  memo.drawn ??= new Map();
  memo.drawn.set(callKey(made), value);
}

function foldLog(state: RunState, { node, item, of, inStep }: Payloads['log']): void {
  const memo = taskMemo(state, { node, item, of });
  if (inStep !== true) memo.logged = (memo.logged ?? 0) + 1;
}

/** The message that a `receive` took. Its name is one of those that the call was made with. */
function takenMessage(state: RunState, call: string, take: number): Pick<CallResult, 'value' | 'from'> {
  const [first, ...others] = messagesNamed(call);
  for (const from of others) {
    const taken = takeFrom(state.messages, from, take);
    if (taken !== undefined) return { value: taken.value, from };
  }
  return { value: first && takeFrom(state.messages, first, take)?.value, from: first };
}

function foldIntent(state: RunState, entry: Entry): void {
  const payload = payloadOf(entry, 'intent');
  const made = { ...payload, type: 'step' as const };
  const call = noteCall(state, made, { ...payload, seq: entry.seq });
  call.intent = payload.key;
  call.isOnce = true;
  endBackoff(state, made);
}

function foldTimer(state: RunState, entry: Entry): void {
  const wait = state.waits.get(payloadOf(entry, 'timer').wait ?? '');
  if (wait === undefined) return;
  settleCall(state, callOfWait(wait), { order: entry.seq }, entry.seq);
  closeUnmet(state, wait);
}

function foldAttempt(state: RunState, entry: Entry): void {
  const { name, n, error, retryAt, ...place } = payloadOf(entry, 'attempt');
  if (name !== undefined) {
    const made = { ...place, name, n, type: 'step' as const };
    const call = callMemo(state, made);
    const { backoffs } = taskMemo(state, place);
    call.attempts += 1;
    if (retryAt === undefined) backoffs.delete(callKey(made));
    else backoffs.set(callKey(made), retryAt);
    call.intent = undefined;
    return;
  }
  const memo = taskMemo(state, place);
  memo.attempts += 1;
  memo.retryAt = retryAt;
  memo.parked = undefined;
  // The next attempt logs what it does from the start.
  memo.logged = 0;
  // An error that the body threw is a known failure of the node's effect.
  const effect = memo.calls.get(callKey({ type: 'step', name: nodeEffect }));
  if (effect !== undefined) effect.intent = undefined;
  withdrawWaits(state, memo);
  if (retryAt === undefined) memo.failed = error;
  // The next attempt resumes a failed child.
  forgetResults(memo, (result) => result.child !== undefined && result.error !== undefined);
  allowAnotherWay(memo);
}

function foldWait(state: RunState, entry: Entry): void {
  const { id, kind, show, until, child, schema, answer, took, dropped, after, seen, again, ...place } = payloadOf(
    entry,
    'wait',
  );
  const memo = taskMemo(state, place);
  // The answer is already known, so the body continues without parking.
  if (answer === undefined) park(memo, seen ?? memo.parked ?? entry.seq - 1);
  for (const name of took ?? []) state.answers.delete(name);
  for (const key of dropped ?? []) dropBackoff(memo, key);
  if (again === true) {
    if (seen !== undefined) delayUnseen(memo, seen, entry.seq);
    return;
  }
  const made = { ...place, type: typeOfWait(kind) };
  const call = noteCall(state, made, { after, seen, seq: entry.seq });
  // A step with an unknown outcome, which an earlier attempt was to try again, waits in this one.
  dropBackoff(memo, callKey(made));
  const wait: OpenWait = {
    id,
    kind,
    place,
    seq: entry.seq,
    since: entry.at,
    until,
    show: frozenCopy(show),
    schema,
    child,
    childEnded: false,
    unchecked: [],
  };
  call.wait = wait;
  call.isAsk = kind === 'ask';
  state.waits.set(id, wait);
  if (kind === 'ask') state.asked.set(place.name, { wait: id });
  if (child !== undefined) {
    state.abandoned.delete(child);
    if (place.name === innerGraph) state.asked.set(`${place.node}/`, { wait: child });
  }
  // Answers that came before the question, or while the question was being journalled.
  if (kind === 'ask') takeKeptAnswer(state, wait, answer === undefined ? entry.seq : undefined);
  if (kind === 'child' && state.endedChildren.delete(id)) {
    wait.childEnded = true;
    memo.woken = entry.seq;
  }
  // An answer or message came while the wait was being journalled: run the node again.
  if (kind === 'child' && hasAnswersFor(state, place.node)) memo.woken = entry.seq;
  if (kind === 'receive') wakeByMessages(state, wait, entry.seq);
}

function hasAnswersFor({ answers }: RunState, node: string): boolean {
  return [...answers.keys()].some((name) => name.startsWith(`${node}/`));
}

/** Failed tasks start again, with all their attempts. */
function foldResume(state: RunState, { maxSupersteps, accept }: Payloads['resume'], at: number): void {
  if (state.paused !== undefined) state.passedSuperstep = state.superstep;
  state.paused = undefined;
  if (state.end?.status === 'failed') state.end = undefined;
  if (maxSupersteps !== undefined) state.settings = { ...state.settings, maxSupersteps };
  state.deadline = deadlineOf(state.settings, at);
  for (const memo of state.open.values()) {
    forgetFailures(memo);
    if (accept === 'diverged') for (const call of memo.calls.values()) call.isOptional = true;
  }
}

function foldEnd(state: RunState, { status, output, error, reason }: Payloads['run-end']): void {
  state.end = { status, output: frozenCopy(output), error, reason };
  state.paused = undefined;
  // A failed run keeps the results of its open super-step. A completed or cancelled one does not need them.
  if (status !== 'failed') closeStep(state);
  else for (const memo of state.open.values()) withdrawWaits(state, memo);
}
