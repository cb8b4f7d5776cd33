import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { renamedJoinKey } from '../../value/join-key.ts';
import { keyInRun } from './call/call-key.ts';
import { renamedCallName } from './call/call-names.ts';
import { callKey, parseCallKey } from './call/call-type.ts';
import { dropCall } from './call/made-calls.ts';
import { takeKeptAnswer, wakeByMessages } from './fold-external.ts';
import { closeUnmet } from './open-superstep.ts';
import { payloadOf, type RunSettings, type TaskPlace } from './payload.ts';
import { type CallMemo, type KeptAnswer, type RunState, taskKey } from './run-state.ts';

/** The nodes and questions that a migration renames: new names, by old name. */
export interface QuestionRenames {
  readonly nodes: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
}

/** All that a migration renames. */
export interface Renames extends QuestionRenames {
  /** Null: the call is gone. */
  readonly steps: ReadonlyMap<string, string | null>;
}

type Rename = (name: string) => string;

/** Migrates a run to a later version of its graph: new channels, new names. The open super-step continues under them. */
export function foldMigrate(state: RunState, entry: Entry, values?: FoldState): void {
  const { version, fingerprint, nodes, asks, steps = {}, messages = {} } = payloadOf(entry, 'migrate');
  const renames: Renames = {
    nodes: new Map(Object.entries(nodes)),
    asks: new Map(Object.entries(asks)),
    steps: new Map(Object.entries(steps)),
  };
  state.version = version;
  state.fingerprint = fingerprint;
  state.values = values ?? foldEntry(state.values, entry);
  dropCalls(state, renames.steps);
  keepKeys(state, renames.steps);
  renamePlan(state, nodeNames(renames));
  renameAnswers(state, askNames(renames));
  renameMessages(state, new Map(Object.entries(messages)));
  renameOpenStep(state, renames);
  state.renamedNodes = formerNames(state.renamedNodes, renames.nodes);
  state.renamedAsks = formerNames(state.renamedAsks, renames.asks);
  // Whoever answered by the new name could not know that the question was still open under the old one.
  for (const wait of state.waits.values()) {
    if (wait.kind === 'ask') takeKeptAnswer(state, wait, entry.seq);
    if (wait.kind === 'receive') wakeByMessages(state, wait, entry.seq);
  }
}

/** The new name of a node. */
export function nodeNames({ nodes }: QuestionRenames): Rename {
  return (name) => nodes.get(name) ?? name;
}

/** The new name of a question; `node/question` is one of an inner graph. */
export function askNames({ nodes, asks }: QuestionRenames): Rename {
  return (name) => {
    const slash = name.indexOf('/');
    if (slash === -1) return asks.get(name) ?? name;
    const node = name.slice(0, slash);
    return `${nodes.get(node) ?? node}${name.slice(slash)}`;
  };
}

/** The new name of a call of a body. Calls that are gone have none. */
export function callNames(renames: Renames): (name: string, call: CallMemo) => string {
  const ask = askNames(renames);
  return (name, { isAsk }) => (isAsk === true ? ask(name) : (renamedCallName(renames.steps, name) ?? name));
}

/** The renamed calls of one migration on top of those before it. */
export function chainedSteps(before: Renames['steps'], next: Renames['steps']): Renames['steps'] {
  const all = new Map(Array.from(before, ([from, to]) => [from, to === null ? null : (next.get(to) ?? to)] as const));
  for (const [from, to] of before) if (to !== null && next.get(to) === null) all.set(from, null);
  const renamedTo = new Set(before.values());
  for (const [from, to] of next) if (!all.has(from) && !renamedTo.has(from)) all.set(from, to);
  return all;
}

/** The renames of one migration on top of those before it. */
export function chainedNames(
  before: ReadonlyMap<string, string>,
  next: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = new Map(Array.from(before, ([from, to]) => [from, next.get(to) ?? to]));
  const renamedTo = new Set(before.values());
  for (const [from, to] of next) if (!all.has(from) && !renamedTo.has(from)) all.set(from, to);
  for (const [from, to] of all) if (from === to) all.delete(from);
  return all;
}

/** The same with the names in between: whoever knows a name may have learned it at any version. */
function formerNames(
  before: ReadonlyMap<string, string>,
  next: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...next, ...chainedNames(before, next)]);
}

function renamePlan(state: RunState, node: Rename): void {
  const former = Array.from(state.frontier, (name): [string, string] => [
    node(name),
    state.formerNodes.get(name) ?? name,
  ]);
  state.formerNodes = new Map(former.filter(([now, before]) => now !== before));
  state.frontier = state.frontier.map(node);
  state.joins = new Map(
    Array.from(state.joins, ([key, arrived]) => [renamedJoinKey(key, node), arrived.map(node)] as const),
  );
  state.settings = renamedSettings(state.settings, node);
  state.turns = state.turns.map((turn) => ({
    ...turn,
    ...(turn.settings !== undefined && { settings: renamedSettings(turn.settings, node) }),
  }));
  if (state.paused !== undefined) state.paused = { ...state.paused, nodes: state.paused.nodes.map(node) };
}

function renamedSettings(settings: RunSettings, node: Rename): RunSettings {
  const { pauseBefore, pauseAfter } = settings;
  return {
    ...settings,
    ...(pauseBefore !== undefined && { pauseBefore: pauseBefore.map(node) }),
    ...(pauseAfter !== undefined && { pauseAfter: pauseAfter.map(node) }),
  };
}

/** Drops what was recorded of calls that are gone. */
function dropCalls(state: RunState, steps: Renames['steps']): void {
  for (const memo of state.open.values()) {
    for (const [key, { isAsk, wait }] of memo.calls) {
      if (isAsk === true || renamedCallName(steps, nameOf(key)) !== null) continue;
      if (wait !== undefined) {
        state.waits.delete(wait.id);
        closeUnmet(state, wait);
      }
      dropCall(memo, key);
      // Nothing else may ever wake it.
      memo.parked = undefined;
    }
  }
}

/** Effects and children that exist keep their keys under a new name. */
function keepKeys(state: RunState, steps: Renames['steps']): void {
  if (steps.size === 0) return;
  for (const { place, calls } of state.open.values()) {
    for (const [key, call] of calls) {
      if (call.isAsk === true || typeof renamedCallName(steps, nameOf(key)) !== 'string') continue;
      call.key ??= keyInRun(state, { ...place, ...parseCallKey(key) });
    }
  }
}

function nameOf(key: string): string {
  return parseCallKey(key).name;
}

function renameAnswers(state: RunState, ask: Rename): void {
  const answers = new Map<string, KeptAnswer>();
  // The first of two answers to the same question wins, as it does without a migration.
  for (const [name, kept] of [...state.answers].toSorted(([, a], [, b]) => a.seq - b.seq)) {
    if (!answers.has(ask(name))) answers.set(ask(name), kept);
  }
  state.answers = answers;
  state.asked = new Map(Array.from(state.asked, ([name, question]) => [ask(name), question]));
}

/** Messages that nobody has received yet can be received under their new names, the oldest first. */
function renameMessages(state: RunState, names: ReadonlyMap<string, string>): void {
  state.renamedMessages = names;
  for (const [former, name] of names) {
    const queue = state.messages.get(former);
    if (queue === undefined) continue;
    state.messages.delete(former);
    state.messages.set(
      name,
      [...queue, ...(state.messages.get(name) ?? [])].toSorted((a, b) => a.seq - b.seq),
    );
  }
}

/** The tasks and calls of the open super-step continue under the new names. No task of it has finished. */
function renameOpenStep(state: RunState, renames: Renames): void {
  const node = nodeNames(renames);
  const rename = callNames(renames);
  const before = state.open;
  state.counts = new Map(Array.from(state.counts, ([name, count]) => [node(name), count]));
  state.open = new Map();
  const order = [...state.waits.keys()];
  const waits: RunState['waits'] = new Map();
  for (const memo of before.values()) {
    const place = { ...memo.place, node: node(memo.place.node) };
    const calls = new Map(
      Array.from(memo.calls, ([key, call]) =>
        renamedCall(key, call, place, { rename, messages: state.renamedMessages }),
      ),
    );
    const backoffs = new Map(
      Array.from(memo.backoffs, ([key, at]) => [renamedKey(key, memo.calls, rename), at] as const),
    );
    state.open.set(taskKey(place), { ...memo, place, calls, backoffs });
    for (const { wait } of calls.values()) if (wait !== undefined) waits.set(wait.id, wait);
  }
  state.waits = new Map();
  for (const id of order) {
    const wait = waits.get(id);
    if (wait !== undefined) state.waits.set(id, wait);
  }
}

/** A call keeps its result, and a question its answer, under its new name: otherwise it would be made again. */
function renamedCall(
  key: string,
  call: CallMemo,
  task: TaskPlace,
  {
    rename,
    messages,
  }: { readonly rename: ReturnType<typeof callNames>; readonly messages: RunState['renamedMessages'] },
): [string, CallMemo] {
  const { wait, result } = call;
  const name = rename(nameOf(key), call);
  return [
    renamedCallKey(key, name),
    {
      ...call,
      ...(wait !== undefined && { wait: { ...wait, place: { ...wait.place, ...task, name } } }),
      ...(result?.from !== undefined && { result: { ...result, from: messages.get(result.from) ?? result.from } }),
    },
  ];
}

function renamedKey(key: string, calls: ReadonlyMap<string, CallMemo>, rename: ReturnType<typeof callNames>): string {
  const call = calls.get(key);
  return call === undefined ? key : renamedCallKey(key, rename(nameOf(key), call));
}

function renamedCallKey(key: string, name: string): string {
  return callKey({ ...parseCallKey(key), name });
}
