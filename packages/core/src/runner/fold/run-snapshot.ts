import { holdfastError } from '../../errors/holdfast-error.ts';
import { snapshotBody, stateOfSnapshot } from '../../history/snapshot-body.ts';
import { isEnd, isSettings } from '../../record/payload-shape.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { isCount, isFlag, isText, isTime, listOf, mapOf, objectOf, oneOf, optional } from '../../value/data-shape.ts';
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
  'deadline',
  'turns',
  'droppedTurns',
  'paused',
  'passedSuperstep',
  'cancel',
  'end',
] as const satisfies readonly (keyof RunState)[];
const lastingMaps = [
  'joins',
  'messages',
  'answers',
  'asked',
  'renamedNodes',
  'renamedAsks',
  'renamedMessages',
  'formerNodes',
] as const satisfies readonly (keyof RunState)[];

const isQueue = listOf(objectOf({ seq: isCount, checked: isFlag }));

/** What a snapshot holds of these parts. It is not trusted: it may be an import's. */
const isRun = objectOf({
  graph: isText,
  version: isCount,
  fingerprint: isText,
  hash: isText,
  wakes: optional(isText),
  superstep: isCount,
  frontier: listOf(isText),
  turn: objectOf({ name: optional(isText), steps: isCount, seq: isCount }),
  settings: isSettings,
  deadline: optional(isTime),
  turns: optional(listOf(objectOf({ seq: isCount, turn: isText, hash: isText, update: objectOf({}) }))),
  droppedTurns: optional(listOf(isCount)),
  paused: optional(objectOf({ when: oneOf('before', 'after'), nodes: listOf(isText), since: isTime })),
  passedSuperstep: optional(isCount),
  cancel: optional(objectOf({ reason: optional(isText) })),
  end: optional(isEnd),
  joins: optional(mapOf(listOf(isText))),
  messages: optional(mapOf(isQueue)),
  answers: optional(mapOf(objectOf({ seq: isCount, by: optional(isText), checked: isFlag }))),
  asked: optional(mapOf(objectOf({ wait: isText, answer: optional(objectOf({ by: optional(isText) })) }))),
});

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
  if (!isPlainObject(rest) || !isRun(rest)) {
    throw holdfastError(
      'HOLDFAST_CORRUPT',
      `A snapshot of run "${runId}" is corrupt: it has no valid run state. Run verify.`,
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
  // What the fold changes in place must not be frozen.
  state.turns = [...state.turns];
  for (const [name, queue] of state.messages) state.messages.set(name, [...queue]);
  state.values = stateOfSnapshot(body);
  state.head = covers;
  return state;
}
