import type { Env } from '../env/env.ts';
import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import type { Entry } from '../record/record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { SnapshotKey } from '../store/contract.ts';
import { parseCheckpointId, parseCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import type { Checkpoint, CheckpointHead } from './checkpoint.ts';
import { loadSegments } from './lineage.ts';
import { entryAt, findEntry } from './read-entries.ts';
import { headOf, loadSavedState } from './saved-checkpoint.ts';
import { type Placed, walkSnapshots } from './walk-snapshots.ts';

/** Where checkpoints are looked for, and whom to tell of corrupt ones. */
export interface IndexContext {
  readonly store: CheckedStore;
  readonly env: Pick<Env, 'warn'>;
}

interface FindOptions {
  /** Only those that cover at most this seq. */
  readonly covers?: number | undefined;
  readonly accepts?: ((head: Omit<CheckpointHead, 'parentId'>) => boolean) | undefined;
}

/** The greatest checkpoint of a run that meets the conditions; corrupt ones are passed over and told of. */
export async function findCheckpoint(
  context: IndexContext,
  runId: string,
  { covers, accepts = () => true }: FindOptions = {},
): Promise<Checkpoint | undefined> {
  const segments = await segmentsOfJournalRun(context.store, runId);
  for await (const placed of walkSnapshots({ store: context.store, segments, covers })) {
    const head = headOf(placed);
    if (head !== undefined && !accepts(head)) continue;
    try {
      return await complete(context.store, segments, placed);
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
      context.env.warn(`A checkpoint of run ${runId} is corrupt and was passed over. ${error.message}`);
    }
  }
  return undefined;
}

/** The checkpoint of that name and no other. @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_CORRUPT */
export async function loadCheckpoint({ store }: IndexContext, id: string): Promise<Checkpoint | undefined> {
  const name = parseCheckpointId(id);
  const segments = await segmentsOfJournalRun(store, name.runId);
  const entry =
    'alias' in name ? await findEntry(store, segments, name.alias) : await entryAt(store, segments, name.seq);
  const placed = entry && (await snapshotOf(store, entry));
  return placed && complete(store, segments, placed);
}

/** What `list` may be asked for. */
export interface ListOptions {
  readonly limit?: number | undefined;
  /** A checkpoint's id: only those before it. */
  readonly before?: string | undefined;
}

/** The heads of a run's checkpoints, newest first. @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_NOT_FOUND */
export async function* listCheckpoints(
  { store, env }: IndexContext,
  runId: string,
  { limit = Number.MAX_SAFE_INTEGER, before }: ListOptions,
): AsyncGenerator<CheckpointHead> {
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'list() takes as limit how many checkpoints to give: 0, 1, 2, …');
  }
  const segments = await segmentsOfJournalRun(store, checkRunId(runId));
  const from = before === undefined ? undefined : await keyOf(store, segments, before);
  let left = limit;
  let waiting: Omit<CheckpointHead, 'parentId'> | undefined;
  if (left === 0) return;
  for await (const placed of walkSnapshots({ store, segments, before: from })) {
    const head = headOf(placed);
    if (head === undefined) {
      env.warn(`The checkpoint ${placed.runId}@${placed.snapshot.seq} is corrupt and was passed over.`);
      continue;
    }
    if (waiting !== undefined) {
      yield { ...waiting, parentId: head.id };
      left -= 1;
      if (left === 0) return;
    }
    waiting = head;
  }
  if (waiting !== undefined) yield { ...waiting, parentId: null };
}

/** The journal of a journal run; nothing for a run that is not there. @throws HOLDFAST_GRAPH_RUN */
async function segmentsOfJournalRun(store: CheckedStore, runId: string): Promise<readonly Segment[]> {
  const header = await store.header(runId);
  if (header === undefined) return [];
  if (header.kind === 'journal') return loadSegments(store, header);
  throw graphRun(runId);
}

/** What a run that the engine executes answers to hand-made checkpoints. */
export function graphRun(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_GRAPH_RUN',
    `Run ${runId} is executed by the engine, which makes its checkpoints itself. Read them with history() and state().`,
    { details: { runId } },
  );
}

async function complete(store: CheckedStore, segments: readonly Segment[], placed: Placed): Promise<Checkpoint> {
  const { runId, snapshot } = placed;
  if (!snapshot.ok) throw snapshot.error;
  const { covers, seq } = snapshot;
  const head = headOf(placed) as Omit<CheckpointHead, 'parentId'>;
  const state = await loadSavedState(store, { runId, covers, seq });
  return { ...head, parentId: await parentOf(store, segments, snapshot), state };
}

async function parentOf(store: CheckedStore, segments: readonly Segment[], key: SnapshotKey): Promise<string | null> {
  for await (const placed of walkSnapshots({ store, segments, before: key })) {
    const head = headOf(placed);
    if (head !== undefined) return head.id;
  }
  return null;
}

/** The snapshot that a checkpoint's or fork's record was saved with; undefined when it was pruned, or never was one. */
async function snapshotOf(store: CheckedStore, { runId, seq, kind, meta }: Entry): Promise<Placed | undefined> {
  if (kind !== 'checkpoint' && kind !== 'fork') return undefined;
  const covers = meta['covers'] as number;
  const [snapshot] = await store.snapshots({
    runId,
    covers,
    before: { covers, seq: seq + 1 },
    limit: 1,
    bodies: false,
  });
  return snapshot?.seq === seq ? { runId, snapshot } : undefined;
}

async function keyOf(store: CheckedStore, segments: readonly Segment[], id: string): Promise<SnapshotKey> {
  const { seq } = parseCursor(id);
  const entry = await entryAt(store, segments, seq);
  const covers = entry?.meta['covers'];
  if (typeof covers === 'number') return { covers, seq };
  throw holdfastError('HOLDFAST_NOT_FOUND', `There is no checkpoint ${id} to list from.`, {
    details: { checkpoint: id },
  });
}
