import { holdfastError } from '../../errors/holdfast-error.ts';
import { snapshotBody, stateOfSnapshot } from '../../history/snapshot-body.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { newRunState, type RunState } from './run-state.ts';

/** The parts of a run, besides its channels, that outlive a super-step. */
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

/** Whether the run can be snapshotted here: its super-step must not be partly done. */
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
 * The complete run at the end of a super-step. `at` is its time, for when its record will be trimmed. It shares objects
 * with the state, so encode it before the state changes.
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

/** Restores a run from a snapshot. @throws HOLDFAST_CORRUPT */
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
