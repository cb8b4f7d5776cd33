import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { renamedJoinKey } from '../../value/join-key.ts';
import { takeKeptAnswer } from './fold-external.ts';
import { payloadOf, type RunSettings, type TaskPlace } from './payload.ts';
import { type CallMemo, callKey, type KeptAnswer, type RunState, taskKey } from './run-state.ts';

/** What a migration renames: new names, by old name. */
export interface Renames {
  readonly nodes: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
}

type Rename = (name: string) => string;

/** Migrates a run to a later version of its graph: new channels, new names. The open super-step continues under them. */
export function foldMigrate(state: RunState, entry: Entry, values?: FoldState): void {
  const { version, fingerprint, nodes, asks } = payloadOf(entry, 'migrate');
  const renames = { nodes: new Map(Object.entries(nodes)), asks: new Map(Object.entries(asks)) };
  state.version = version;
  state.fingerprint = fingerprint;
  state.values = values ?? foldEntry(state.values, entry);
  renamePlan(state, nodeNames(renames));
  renameAnswers(state, askNames(renames));
  renameOpenStep(state, renames);
  state.renamedNodes = chainedNames(state.renamedNodes, renames.nodes);
  state.renamedAsks = chainedNames(state.renamedAsks, renames.asks);
  // Whoever answered by the new name could not know that the question was still open under the old one.
  for (const wait of state.waits.values()) if (wait.kind === 'ask') takeKeptAnswer(state, wait, entry.seq);
}

/** The new name of a node. */
export function nodeNames({ nodes }: Renames): Rename {
  return (name) => nodes.get(name) ?? name;
}

/** The new name of a question; `node/question` is one of an inner graph. */
export function askNames({ nodes, asks }: Renames): Rename {
  return (name) => {
    const slash = name.indexOf('/');
    if (slash === -1) return asks.get(name) ?? name;
    const node = name.slice(0, slash);
    return `${nodes.get(node) ?? node}${name.slice(slash)}`;
  };
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

function renameAnswers(state: RunState, ask: Rename): void {
  const answers = new Map<string, KeptAnswer>();
  // The first of two answers to the same question wins, as it does without a migration.
  for (const [name, kept] of [...state.answers].toSorted(([, a], [, b]) => a.seq - b.seq)) {
    if (!answers.has(ask(name))) answers.set(ask(name), kept);
  }
  state.answers = answers;
  state.asked = new Map(Array.from(state.asked, ([name, question]) => [ask(name), question]));
}

/** The tasks and calls of the open super-step continue under the new names. No task of it has finished. */
function renameOpenStep(state: RunState, renames: Renames): void {
  const node = nodeNames(renames);
  const ask = askNames(renames);
  const before = state.open;
  state.counts = new Map(Array.from(state.counts, ([name, count]) => [node(name), count]));
  state.open = new Map();
  const order = [...state.waits.keys()];
  const waits: RunState['waits'] = new Map();
  for (const memo of before.values()) {
    const place = { ...memo.place, node: node(memo.place.node) };
    const calls = new Map(Array.from(memo.calls, ([key, call]) => renamedCall(key, call, place, ask)));
    state.open.set(taskKey(place), { ...memo, place, calls });
    for (const { wait } of calls.values()) if (wait !== undefined) waits.set(wait.id, wait);
  }
  state.waits = new Map();
  for (const id of order) {
    const wait = waits.get(id);
    if (wait !== undefined) state.waits.set(id, wait);
  }
}

/** A question keeps its answer under its new name: otherwise it would be asked again. */
function renamedCall(key: string, call: CallMemo, task: TaskPlace, ask: Rename): [string, CallMemo] {
  const { wait } = call;
  const n = Number(key.slice(key.lastIndexOf('#') + 1));
  const before = key.slice(0, key.lastIndexOf('#'));
  const name = call.isAsk === true ? ask(before) : before;
  const named = callKey({ name, n });
  return [named, wait === undefined ? call : { ...call, wait: { ...wait, place: { ...wait.place, ...task, name } } }];
}
