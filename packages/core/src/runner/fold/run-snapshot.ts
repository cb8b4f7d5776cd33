import { holdfastError } from '../../errors/holdfast-error.ts';
import { snapshotBody, stateOfSnapshot } from '../../history/snapshot-body.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { newRunState, type RunState } from './run-state.ts';

/** What of a run, besides its channels, lives on from one step to the next. */
const lasting = [
  'graph',
  'version',
  'fingerprint',
  'hash',
  'input',
  'wakes',
  'superstep',
  'frontier',
  'turn',
  'settings',
  'turns',
  'paused',
  'passedSuperstep',
  'cancel',
  'end',
] as const satisfies readonly (keyof RunState)[];
const lastingMaps = ['joins', 'messages', 'answers', 'answered'] as const satisfies readonly (keyof RunState)[];

/** Whether a snapshot can stand for the run here: nothing of its step is half done. */
export function isBoundary(state: RunState): boolean {
  return state.open.size === 0 && state.waits.size === 0;
}

/** A run to write as a snapshot. */
interface RunSnapshot {
  readonly covers: number;
  readonly head: unknown;
  readonly body: unknown;
}

/**
 * The run at the end of a step, whole; `at` is when that was, where its record will be gone. It shares what the state
 * holds, and is to be encoded before the state goes on.
 */
export function runSnapshot(state: RunState, at?: number): RunSnapshot {
  const rest: Record<string, unknown> = {};
  for (const key of lasting) if (state[key] !== undefined) rest[key] = state[key];
  for (const key of lastingMaps) if (state[key].size > 0) rest[key] = new Map<string, unknown>(state[key]);
  return {
    covers: state.head,
    head: at === undefined ? { superstep: state.superstep } : { superstep: state.superstep, at },
    body: { ...snapshotBody(state.values), run: rest },
  };
}

/** The run that a snapshot stands for. @throws HOLDFAST_CORRUPT */
export function stateOfRunSnapshot(runId: string, covers: number, body: unknown): RunState {
  const rest = isPlainObject(body) ? body['run'] : undefined;
  if (!isPlainObject(rest)) {
    throw holdfastError(
      'HOLDFAST_CORRUPT',
      `A snapshot of run "${runId}" is corrupt: it has no run state. Run verify.`,
      {
        details: { runId, where: `${runId}@${covers}` },
      },
    );
  }
  const state = newRunState(runId);
  const kept = frozenCopy(rest);
  for (const key of lasting) if (kept[key] !== undefined) Object.assign(state, { [key]: kept[key] });
  for (const key of lastingMaps) {
    const map = kept[key];
    if (map instanceof Map) Object.assign(state, { [key]: new Map(map) });
  }
  state.turns = [...state.turns];
  state.values = stateOfSnapshot(body);
  state.head = covers;
  return state;
}
