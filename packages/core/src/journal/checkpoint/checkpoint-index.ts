import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { Segment } from '../../history/lineage.ts';
import type { Keepable } from '../../history/retention.ts';
import type { Entry } from '../../record/record.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import { formatCursor, parseCheckpointId, parseCursor } from '../../value/cursor.ts';
import { checkRunId } from '../../value/id.ts';
import { loadJournal, type RunJournal } from '../lineage.ts';
import { entryAt } from '../read-entries.ts';
import { type Placed, walkSnapshots } from '../walk-snapshots.ts';
import type { Checkpoint, CheckpointHead } from './checkpoint.ts';
import { headOf, loadSavedState, lostState } from './saved-checkpoint.ts';

/** Where to look up checkpoints, and how to warn about corrupt ones. */
export interface IndexContext {
  readonly store: CheckedStore;
  readonly env: Pick<Env, 'warn'>;
}

interface FindOptions {
  /** Only those that cover at most this seq. */
  readonly covers?: number | undefined;
  readonly accepts?: ((head: Omit<CheckpointHead, 'parentId'>) => boolean) | undefined;
}

/** The greatest checkpoint of a run that meets the conditions; skips corrupt ones with a warning. */
export async function findCheckpoint(
  { store, env }: IndexContext,
  runId: string,
  { covers, accepts = () => true }: FindOptions = {},
): Promise<Checkpoint | undefined> {
  const walk = walkSnapshots({ store, segments: await segmentsOfJournalRun(store, runId), covers });
  for await (const placed of walk) {
    const head = headOf(placed);
    if (head !== undefined && !accepts(head)) continue;
    try {
      const whole = await loadWhole(store, placed);
      return { ...whole, parentId: await nextId(walk) };
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
      env.warn(`Skipped a corrupt checkpoint of run "${runId}". ${error.message}`);
    }
  }
  return undefined;
}

/** The checkpoint with exactly that name. @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_CORRUPT */
export async function loadCheckpoint({ store }: IndexContext, id: string): Promise<Checkpoint | undefined> {
  const name = parseCheckpointId(id);
  const alias = 'alias' in name ? name.alias : undefined;
  const { segments, known } = await journalOfJournalRun(store, name.runId, { id: alias });
  const seq = 'alias' in name ? known?.value.seq : name.seq;
  const entry = seq === undefined ? undefined : await entryAt(store, segments, seq);
  const placed = entry && (await snapshotOf(store, entry));
  if (placed === undefined) return undefined;
  const whole = await loadWhole(store, placed);
  return { ...whole, parentId: await nextId(walkSnapshots({ store, segments, before: placed.snapshot })) };
}

/** The run's own checkpoints, newest first, for retention. Those of its base are pruned with the base. */
export async function ownCheckpoints(store: CheckedStore, runId: string): Promise<readonly Keepable[]> {
  const own = { runId, after: 0, upTo: Number.MAX_SAFE_INTEGER, floor: 0 };
  const found: Keepable[] = [];
  for await (const placed of walkSnapshots({ store, segments: [own] })) {
    const head = headOf(placed);
    // A corrupt one stays: verify reports it, and a person decides.
    if (head === undefined) continue;
    const { id, seq, covers, status, at } = head;
    found.push({ id, seq, covers, status, at: at.getTime() });
  }
  return found;
}

/** Which checkpoints to list. */
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
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'The limit of list() must be a whole number, 0 or more.');
  }
  const segments = await segmentsOfJournalRun(store, checkRunId(runId));
  const from = before === undefined ? undefined : await keyOf(store, segments, before);
  let left = limit;
  let waiting: Omit<CheckpointHead, 'parentId'> | undefined;
  if (left === 0) return;
  for await (const placed of walkSnapshots({ store, segments, before: from })) {
    const head = headOf(placed);
    if (head === undefined) {
      env.warn(`Skipped the corrupt checkpoint ${formatCursor(placed.runId, placed.snapshot.seq)}.`);
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

/** The segments of a journal run. None if the run does not exist. @throws HOLDFAST_GRAPH_RUN */
async function segmentsOfJournalRun(store: CheckedStore, runId: string): Promise<readonly Segment[]> {
  return (await journalOfJournalRun(store, runId)).segments;
}

/** The same, and where a record id is known from. */
async function journalOfJournalRun(
  store: CheckedStore,
  runId: string,
  options: { readonly id?: string | undefined } = {},
): Promise<Pick<RunJournal, 'segments' | 'known'>> {
  const journal = await loadJournal(store, runId, options);
  if (journal?.header.kind === 'graph') throw graphRun(runId);
  return journal ?? { segments: [], known: undefined };
}

/** The refusal of checkpoints made by hand in a graph run. */
export function graphRun(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_GRAPH_RUN',
    `Run "${runId}" is a graph run: the engine makes its checkpoints. Read them with history() and state().`,
    { details: { runId } },
  );
}

async function loadWhole(store: CheckedStore, placed: Placed): Promise<Omit<Checkpoint, 'parentId'>> {
  const { runId, snapshot } = placed;
  if (!snapshot.ok) throw snapshot.error;
  const { covers, seq } = snapshot;
  const head = headOf(placed);
  if (head === undefined) throw lostState(formatCursor(runId, seq));
  return { ...head, state: await loadSavedState(store, { runId, covers, seq }) };
}

/** The next readable checkpoint of a walk: the parent of the one before it. */
async function nextId(walk: AsyncGenerator<Placed>): Promise<string | null> {
  for await (const placed of walk) {
    const head = headOf(placed);
    if (head !== undefined) return head.id;
  }
  return null;
}

/** The snapshot that a checkpoint's or fork's record was saved with; undefined when it was pruned, or the record is none. */
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
  throw holdfastError('HOLDFAST_NOT_FOUND', `Checkpoint ${id} does not exist, so nothing can be listed before it.`, {
    details: { checkpoint: id },
  });
}
