import { parseUpdate } from '../../channel/update/prepare-update.ts';
import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { foldAnswer, foldMessage, foldResolve, takeFrom, takeKeptAnswer, takeOut } from './fold-external.ts';
import { foldFork } from './fold-lineage.ts';
import { foldMigrate } from './fold-migrate.ts';
import { allowAnotherWay, delayUnseen, forgetResults, noteCall } from './made-calls.ts';
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
import { innerGraph, type Payloads, payloadOf } from './payload.ts';
import { callKey, callMemo, type OpenWait, type RunState, taskMemo } from './run-state.ts';

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
      return foldResume(state, payloadOf(entry, 'resume'));
    case 'run-end':
      return foldEnd(state, payloadOf(entry, 'run-end'));
    case 'fork':
      return foldFork(state, entry, values);
    case 'migrate':
      return foldMigrate(state, entry, values);
    case 'note':
      if (entry.id !== undefined) state.notes.add(entry.id);
      return;
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
  state.turn = { name: turn, steps: 0, seq: entry.seq };
}

function foldStep(state: RunState, entry: Entry, values?: FoldState): void {
  const { next = [], joins } = payloadOf(entry, 'superstep');
  state.values = values ?? foldEntry(state.values, entry);
  state.frontier = next;
  state.joins = joins === undefined ? noJoins : new Map(Object.entries(joins));
  state.superstep += 1;
  const { name, steps, seq } = state.turn;
  state.turn = { name, steps: steps + 1, seq };
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
  state.turn = { name: turn, steps: 0, seq: entry.seq };
  state.end = undefined;
  closeStep(state);
}

function foldTask(state: RunState, entry: Entry): void {
  const { update, goto, output, ...place } = payloadOf(entry, 'task');
  if (place.of === 0) {
    state.counts.set(place.node, 0);
    return;
  }
  const memo = taskMemo(state, place);
  memo.done = { update: parseUpdate(update), goto, ...(output !== undefined && { output: frozenCopy(output) }) };
  memo.failed = undefined;
  withdrawWaits(state, memo);
}

function foldResult(state: RunState, entry: Entry): void {
  const { value, error, take, child, after, seen, ...place } = payloadOf(entry, 'result');
  noteCall(state, place, { after, seen, seq: entry.seq });
  const given = take === undefined ? frozenCopy(value) : takenValue(state, place.name, take);
  settleCall(state, place, { order: entry.seq, value: given, error, child });
}

function takenValue(state: RunState, name: string, take: number): unknown {
  return takeFrom(state.messages, name, take)?.value;
}

function foldIntent(state: RunState, entry: Entry): void {
  const payload = payloadOf(entry, 'intent');
  const call = noteCall(state, payload, { ...payload, seq: entry.seq });
  call.intent = payload.key;
  call.isOnce = true;
  endBackoff(state, payload);
}

function foldTimer(state: RunState, entry: Entry): void {
  const wait = state.waits.get(payloadOf(entry, 'timer').wait ?? '');
  if (wait === undefined) return;
  settleCall(state, wait.place, { order: entry.seq }, entry.seq);
  closeUnmet(state, wait);
}

function foldAttempt(state: RunState, entry: Entry): void {
  const { name, n, error, retryAt, ...place } = payloadOf(entry, 'attempt');
  if (name !== undefined) {
    const call = callMemo(state, { ...place, name, n });
    const { backoffs } = taskMemo(state, place);
    call.attempts += 1;
    if (retryAt === undefined) backoffs.delete(callKey({ name, n }));
    else backoffs.set(callKey({ name, n }), retryAt);
    call.intent = undefined;
    return;
  }
  const memo = taskMemo(state, place);
  memo.attempts += 1;
  memo.retryAt = retryAt;
  memo.parked = undefined;
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
  const call = noteCall(state, place, { after, seen, seq: entry.seq });
  // A step of that name, which an earlier attempt was to try again, is a wait in this one.
  dropBackoff(memo, callKey(place));
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
  if (kind === 'receive' && state.messages.has(place.name)) memo.woken = entry.seq;
}

function hasAnswersFor({ answers }: RunState, node: string): boolean {
  return [...answers.keys()].some((name) => name.startsWith(`${node}/`));
}

/** Failed tasks start again, with all their attempts. */
function foldResume(state: RunState, { maxSupersteps, accept }: Payloads['resume']): void {
  if (state.paused !== undefined) state.passedSuperstep = state.superstep;
  state.paused = undefined;
  if (state.end?.status === 'failed') state.end = undefined;
  if (maxSupersteps !== undefined) state.settings = { ...state.settings, maxSupersteps };
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
