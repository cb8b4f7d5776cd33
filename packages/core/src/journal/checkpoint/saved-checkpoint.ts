import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import { formatCursor } from '../../value/cursor.ts';
import { isRunId } from '../../value/id.ts';
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
} from '../../value/shape.ts';
import type { Placed } from '../walk-snapshots.ts';
import type { Checkpoint, CheckpointHead } from './checkpoint.ts';

/** A snapshot's head, as a journal run's checkpoint writes it. */
export type SavedHead = Pick<CheckpointHead, 'workflow' | 'superstep' | 'label' | 'next' | 'status' | 'metadata'> & {
  readonly at: number;
};

/** A snapshot's body: the state itself, or, in a fork, a pointer to the state it began with and the edits. */
export type SavedBody =
  | { readonly state: Checkpoint['state'] }
  | { readonly from: SnapshotKey & { readonly runId: string }; readonly set: Checkpoint['state'] };

/** Stores and imports may hold anything. */
export const isSavedHead: Shape = objectOf({
  workflow: isText,
  superstep: isCount,
  label: optional(isText),
  next: listOf(isText),
  status: isText,
  metadata: optional(objectOf({})),
  at: isTime,
} satisfies Record<keyof SavedHead, Shape>);

const from = objectOf({ runId: isRunId, covers: isCount, seq: isCount });
export const isSavedBody: Shape = byField(
  { state: objectOf({ state: objectOf({}) }), from: objectOf({ from, set: objectOf({}) }) },
  nothing,
);

/** What a snapshot's head says of its checkpoint; undefined if it is corrupt. */
export function headOf({ runId, snapshot }: Placed): Omit<CheckpointHead, 'parentId'> | undefined {
  if (!snapshot.ok || !isSavedHead(snapshot.head)) return undefined;
  const { at, ...saved } = snapshot.head as SavedHead;
  const { covers, seq } = snapshot;
  return { id: formatCursor(runId, seq), runId, seq, covers, ...saved, at: new Date(at) };
}

/** The state that a checkpoint saved, read through the forks it points at. @throws HOLDFAST_CORRUPT */
export async function loadSavedState(
  store: CheckedStore,
  key: SnapshotKey & { readonly runId: string },
): Promise<Checkpoint['state']> {
  const seen = new Set<string>();
  const edits: Checkpoint['state'][] = [];
  for (let { runId, covers, seq } = key; ; ) {
    const place = formatCursor(runId, seq);
    if (seen.has(place)) throw lostState(place);
    seen.add(place);
    const before = { covers, seq: seq + 1 };
    const [found] = await store.snapshots({ runId, covers, before, limit: 1, bodies: true });
    if (found?.seq !== seq) throw lostState(place);
    if (!found.ok) throw found.error;
    if (!isSavedBody(found.body)) throw lostState(place);
    const body = found.body as SavedBody;
    if ('state' in body) return edits.reduceRight(withSet, body.state);
    edits.push(body.set);
    ({ runId, covers, seq } = body.from);
  }
}

/** The checkpoint has no content that anyone could have saved. */
export function lostState(place: string): HoldfastError {
  return holdfastError('HOLDFAST_CORRUPT', `The state of checkpoint ${place} is missing from the store. Run verify.`, {
    details: { where: place },
  });
}

/** Not by spreading, which would lose a key named `__proto__`. */
function withSet(state: Checkpoint['state'], set: Checkpoint['state']): Checkpoint['state'] {
  return Object.fromEntries([...Object.entries(state), ...Object.entries(set)]);
}
