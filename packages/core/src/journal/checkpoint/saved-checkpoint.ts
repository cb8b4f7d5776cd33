import { type Deltas, parseDeltas } from '../../delta/delta.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { Segment } from '../../history/lineage.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import { setOwn } from '../../value/codec/special.ts';
import { formatCursor } from '../../value/cursor.ts';
import {
  byField,
  isCount,
  isText,
  isTime,
  listOf,
  nothing,
  objectOf,
  optional,
  type Shape,
} from '../../value/data-shape.ts';
import { sameValue } from '../../value/equal.ts';
import { isRunId } from '../../value/id.ts';
import type { Placed } from '../walk-snapshots.ts';
import type { Checkpoint, CheckpointHead } from './checkpoint.ts';

/** The state of a checkpoint: one key per channel. */
export type State = Checkpoint['state'];

/** What a checkpoint says of itself, as it was saved. */
export type SavedFacts = Pick<CheckpointHead, 'graph' | 'superstep' | 'label' | 'next' | 'status' | 'metadata'> & {
  readonly at: number;
};

/** How a checkpoint is stored. */
export interface Storage {
  /** Tells two checkpoints apart that have the same id: the run may have been deleted and made again. */
  readonly stamp: string;
  /** How many changes lead to it from the last whole state; 0 if it is one. */
  readonly depth: number;
  /** How much those changes weigh, in bytes. */
  readonly since: number;
  /** The checkpoint of the same run that its change begins with. Not in a fork's first one, which begins with another run's. */
  readonly base?: SnapshotKey | undefined;
  /** The seq of the checkpoint that the caller named as its base. */
  readonly on?: number | undefined;
  readonly alias?: string | undefined;
}

/** A snapshot's head. Whatever has its default is left out: every checkpoint has one. */
export type SavedHead = Partial<SavedFacts> & Pick<SavedFacts, 'at' | 'superstep'> & Partial<Storage>;

/** A snapshot's body: the whole state, what changed since its base, or what a fork changed of another run's checkpoint. */
export type SavedBody =
  | { readonly state: State }
  | { readonly delta: Deltas }
  | { readonly from: StateKey; readonly set: State };

/** A snapshot of a run. */
export type StateKey = SnapshotKey & { readonly runId: string };

const defaults = {
  graph: '',
  label: '',
  next: [],
  status: 'running',
  metadata: { version: 1, inFlightTasks: 0 },
  depth: 0,
  since: 0,
} as const;

const isKey = objectOf({ covers: isCount, seq: isCount });

/** Stores and imports may hold anything. */
export const isSavedHead: Shape = objectOf({
  at: isTime,
  superstep: isCount,
  graph: optional(isText),
  label: optional(isText),
  next: optional(listOf(isText)),
  status: optional(isText),
  metadata: optional(objectOf({})),
  stamp: optional(isText),
  depth: optional(isCount),
  since: optional((value) => typeof value === 'number' && value >= 0),
  base: optional(isKey),
  on: optional(isCount),
  alias: optional(isText),
} satisfies Record<keyof SavedHead, Shape>);

const isFrom = objectOf({ runId: isRunId, covers: isCount, seq: isCount });
export const isSavedBody: Shape = byField(
  {
    state: objectOf({ state: objectOf({}) }),
    from: objectOf({ from: isFrom, set: objectOf({}) }),
    delta: objectOf({ delta: objectOf({}) }),
  },
  nothing,
);

/** A head as it is stored. */
export function packHead(facts: SavedFacts, storage: Storage): SavedHead {
  const head: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ ...facts, ...storage })) {
    const isDefault = name in defaults && sameValue(value, defaults[name as keyof typeof defaults]);
    if (value !== undefined && !isDefault) head[name] = value;
  }
  return head as SavedHead;
}

/** The head of a snapshot; undefined if it is corrupt. */
export function savedHead({ snapshot }: Placed): (SavedFacts & Storage) | undefined {
  if (!snapshot.ok || !isSavedHead(snapshot.head)) return undefined;
  return { ...defaults, stamp: '', ...(snapshot.head as SavedHead) };
}

/** What a snapshot's head says of its checkpoint; undefined if it is corrupt. */
export function headOf(placed: Placed): Omit<CheckpointHead, 'parentId'> | undefined {
  const saved = savedHead(placed);
  if (saved === undefined) return undefined;
  const { graph, superstep, label, next, status, metadata, at } = saved;
  const { runId, snapshot } = placed;
  const { covers, seq } = snapshot;
  const facts = { graph, superstep, label, next, status, metadata };
  return { id: formatCursor(runId, seq), runId, seq, covers, ...facts, at: new Date(at) };
}

/** The checkpoint that the caller named as the base of this one; undefined if none. */
export function namedBase(placed: Placed, segments: readonly Segment[]): string | undefined {
  const on = savedHead(placed)?.on;
  const holder = segments.find(({ after, upTo }) => on !== undefined && on > after && on <= upTo);
  return on === undefined || holder === undefined ? undefined : formatCursor(holder.runId, on);
}

/** What a snapshot holds of the state, and where its change begins. */
export type SavedState = { readonly state: State } | { readonly delta: Deltas; readonly base: StateKey };

/** Reads a snapshot that has its body. @throws HOLDFAST_CORRUPT */
export function savedState({ runId, snapshot }: Placed): SavedState {
  const place = formatCursor(runId, snapshot.seq);
  if (!snapshot.ok) throw snapshot.error;
  const head = savedHead({ runId, snapshot });
  if (head === undefined || !isSavedBody(snapshot.body)) throw lostState(place);
  const body = snapshot.body as SavedBody;
  if ('state' in body) return { state: body.state };
  if ('from' in body) return { delta: assignments(body.set), base: body.from };
  if (head.base === undefined) throw lostState(place);
  return { delta: parsed(place, body.delta), base: { runId, ...head.base } };
}

function parsed(place: string, delta: unknown): Deltas {
  try {
    return parseDeltas(delta);
  } catch (cause) {
    throw HoldfastError.is(cause, 'HOLDFAST_CORRUPT') ? corruptState(place, cause) : cause;
  }
}

/** The changes that set these channels. */
function assignments(set: State): Deltas {
  const deltas: Record<string, readonly ['=', unknown]> = {};
  for (const [name, value] of Object.entries(set)) setOwn(deltas, name, ['=', value]);
  return deltas;
}

/** The checkpoint has no content that anyone could have saved. */
export function lostState(place: string): HoldfastError {
  return holdfastError('HOLDFAST_CORRUPT', `The state of checkpoint ${place} is missing from the store. Run verify.`, {
    details: { where: place },
  });
}

/** The error for a change that does not fit the state before it. */
export function corruptState(place: string, cause: HoldfastError): HoldfastError {
  return holdfastError('HOLDFAST_CORRUPT', `Checkpoint ${place} is corrupt. ${cause.message}`, {
    details: { where: place },
    cause,
  });
}
