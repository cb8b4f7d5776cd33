import type { FoldState } from '../../delta/cell.ts';
import { foldEntry } from '../../history/fold.ts';
import type { Entry } from '../../record/record.ts';
import { closeStep, forgetFailures } from './open-superstep.ts';
import { payloadOf, type TaskPlace } from './payload.ts';
import { type CallMemo, callKey, type RunState, taskKey } from './run-state.ts';

/** Turns the state of the base into that of its fork: a different run at the same position, with its own end. */
export function foldFork(state: RunState, entry: Entry, values?: FoldState): void {
  const { delta, next, settings } = payloadOf(entry, 'fork');
  state.runId = entry.runId;
  state.values = values ?? foldEntry(state.values, entry);
  state.settings = { ...state.settings, ...settings };
  state.wakes = undefined;
  state.cancel = undefined;
  state.paused = undefined;
  if (delta !== undefined || next !== undefined) closeStep(state);
  if (next !== undefined) {
    state.frontier = next;
    state.joins = new Map();
  }
  if (state.end?.status !== 'completed' || next !== undefined) state.end = undefined;
  for (const memo of state.open.values()) {
    forgetFailures(memo);
    // A child belongs to the base: the fork starts its own.
    for (const [key, call] of memo.calls) {
      if (call.wait?.kind !== 'child') continue;
      state.waits.delete(call.wait.id);
      memo.calls.delete(key);
      memo.parked = undefined;
    }
  }
}

/** Migrates a run to the next version of its graph: new channels, new names. */
export function foldMigrate(state: RunState, entry: Entry, values?: FoldState): void {
  const { version, fingerprint, nodes, asks } = payloadOf(entry, 'migrate');
  const nodeName = (name: string): string => nodes[name] ?? name;
  const askName = (name: string): string => asks[name] ?? name;
  state.version = version;
  state.fingerprint = fingerprint;
  state.values = values ?? foldEntry(state.values, entry);
  state.frontier = state.frontier.map(nodeName);
  state.joins = new Map();
  state.answers = renamed(state.answers, askName);
  state.answered = renamed(state.answered, askName);
  renameOpenStep(state, nodeName, askName);
}

type Rename = (name: string) => string;

function renamed<T>(map: ReadonlyMap<string, T>, rename: Rename): Map<string, T> {
  return new Map(Array.from(map, ([name, value]) => [rename(name), value]));
}

/** Waits continue under the new names. Only a super-step without finished tasks is migrated. */
function renameOpenStep(state: RunState, nodeName: Rename, askName: Rename): void {
  const before = state.open;
  state.counts = renamed(state.counts, nodeName);
  state.open = new Map();
  state.waits = new Map();
  for (const memo of before.values()) {
    const place = { ...memo.place, node: nodeName(memo.place.node) };
    const calls = new Map(Array.from(memo.calls, ([key, call]) => renamedCall(key, call, place, askName)));
    state.open.set(taskKey(place), { ...memo, place, calls });
    for (const { wait } of calls.values()) if (wait !== undefined) state.waits.set(wait.id, wait);
  }
}

function renamedCall(key: string, call: CallMemo, task: TaskPlace, askName: Rename): [string, CallMemo] {
  const { wait } = call;
  if (wait === undefined) return [key, call];
  const name = wait.kind === 'ask' ? askName(wait.place.name) : wait.place.name;
  const place = { ...wait.place, ...task, name };
  return [callKey(place), { ...call, wait: { ...wait, place } }];
}
