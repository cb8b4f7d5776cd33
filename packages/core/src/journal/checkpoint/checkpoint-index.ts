import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { Segment } from '../../history/lineage.ts';
import type { Keepable } from '../../history/plan-retention.ts';
import type { Entry } from '../../record/record.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import { checkOptions } from '../../value/check/check-options.ts';
import { formatCursor, parseCheckpointId, parseCursor } from '../../value/cursor.ts';
import { checkRunId } from '../../value/id.ts';
import { findId } from '../find-id.ts';
import { entryAt } from '../read-entries.ts';
import { loadJournal, type RunJournal } from '../run-journal.ts';
import { type Placed, walkSnapshots } from '../walk-snapshots.ts';
import { findAliased, type NamedAlias } from './alias.ts';
import type { Checkpoint, CheckpointHead } from './checkpoint.ts';
import { restoreState, restoreStates, type States } from './restore-state.ts';
import { headOf, lostState, namedBase, type Storage, savedHead } from './saved-checkpoint.ts';

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
  const segments = await segmentsOfJournalRun(store, runId);
  const walk = walkSnapshots({ store, segments, covers });
  for await (const placed of walk) {
    const head = headOf(placed);
    if (head !== undefined && !accepts(head)) continue;
    try {
      const whole = await loadWhole(store, placed);
      return { ...whole, parentId: namedBase(placed, segments) ?? (await nextId(walk)) };
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
  const placed =
    alias === undefined ? await findPlaced(store, segments, id) : await placedAlias(store, segments, { alias, known });
  if (placed === undefined) return undefined;
  const whole = await loadWhole(store, placed);
  const parentId =
    namedBase(placed, segments) ?? (await nextId(walkSnapshots({ store, segments, before: placed.snapshot })));
  return { ...whole, parentId };
}

/** The snapshot of a checkpoint in a run's lineage, without its body. @throws HOLDFAST_INVALID_CURSOR */
export async function findPlaced(
  store: CheckedStore,
  segments: readonly Segment[],
  id: string,
): Promise<Placed | undefined> {
  const name = parseCheckpointId(id);
  // A lineage has one record per seq, and it may be asked for by the name of the run or of one that it was forked from.
  const part = partOf(segments, name.runId);
  if ('alias' in name) {
    return placedAlias(store, part, { alias: name.alias, known: await findId(store, part, name.alias) });
  }
  const entry = await entryAt(store, part, name.seq);
  return entry && snapshotOf(store, entry);
}

async function placedAlias(
  store: CheckedStore,
  segments: readonly Segment[],
  named: NamedAlias,
): Promise<Placed | undefined> {
  const found = await findAliased(store, segments, named);
  const entry = found && (await entryAt(store, segments, found.known.value.seq));
  return entry && snapshotOf(store, entry);
}

/** The lineage from this run on. */
function partOf(segments: readonly Segment[], runId: string): readonly Segment[] {
  const from = segments.findIndex((segment) => segment.runId === runId);
  return from < 0 ? [] : segments.slice(from);
}

/** A checkpoint of a journal run, as retention sees it. */
export interface OwnCheckpoint extends Keepable {
  readonly placed: Placed;
  readonly storage: Storage;
}

/** The run's own checkpoints, newest first, for retention. Those of its base are pruned with the base. */
export async function ownCheckpoints(
  store: CheckedStore,
  runId: string,
): Promise<{ readonly checkpoints: readonly OwnCheckpoint[]; readonly corrupt: readonly SnapshotKey[] }> {
  const own = { runId, after: 0, upTo: Number.MAX_SAFE_INTEGER, floor: 0 };
  const checkpoints: OwnCheckpoint[] = [];
  const corrupt: SnapshotKey[] = [];
  for await (const placed of walkSnapshots({ store, segments: [own] })) {
    const saved = savedHead(placed);
    const { covers, seq } = placed.snapshot;
    if (saved === undefined) {
      // It stays: verify reports it, and a person decides.
      corrupt.push({ covers, seq });
      continue;
    }
    const { status, at } = saved;
    checkpoints.push({ id: formatCursor(runId, seq), seq, covers, status, at, placed, storage: saved });
  }
  return { checkpoints, corrupt };
}

/**
 * Which checkpoints to list.
 *
 * @example
 * ```ts
 * const newest = await engine.checkpoints.list('trip', { states: true, limit: 10 }).toArray();
 * ```
 */
export interface ListOptions {
  readonly limit?: number | undefined;
  /** A checkpoint's id: only those before it. */
  readonly before?: string | undefined;
  /** Gives the states too, in one pass. Default false. */
  readonly states?: boolean | undefined;
}

/** A snapshot, what its head says, and the checkpoint before it. */
interface Listed {
  readonly placed: Placed;
  readonly head: CheckpointHead;
}

/** The heads of a run's checkpoints, newest first. @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_NOT_FOUND */
export async function* listCheckpoints(
  context: IndexContext,
  runId: string,
  options: ListOptions,
): AsyncGenerator<CheckpointHead> {
  for await (const { head } of listed(context, runId, options)) yield head;
}

/** The same, with their states. Those that were built on each other are read together. @throws HOLDFAST_CORRUPT */
export async function* listStates(
  context: IndexContext,
  runId: string,
  options: ListOptions,
): AsyncGenerator<Checkpoint> {
  const { store, env } = context;
  const rows = listed(context, runId, options);
  let next = await nextOf(rows);
  while (next !== undefined) {
    const { placed } = next;
    const chain = await readable(env, () => restoreStates(store, placed));
    const batch: Listed[] = [];
    while (next !== undefined && batch.length < batchSize && (chain?.has(next.head.id) ?? batch.length === 0)) {
      batch.push(next);
      next = await nextOf(rows);
    }
    const states = await readable(env, () => chain?.states(new Set(batch.map(({ head }) => head.id))));
    yield* withStates(batch, states);
  }
}

async function nextOf(rows: AsyncGenerator<Listed>): Promise<Listed | undefined> {
  const row = await rows.next();
  return row.done === true ? undefined : row.value;
}

/** So many states are kept at once, each as what it does not share with the others. */
const batchSize = 256;

function* withStates(batch: readonly Listed[], states: States | undefined): Generator<Checkpoint> {
  for (const { head } of batch) {
    const state = states?.get(head.id);
    if (state !== undefined) yield { ...head, state: state() };
  }
}

/** Undefined, with a warning, if it is corrupt. */
async function readable<T>(
  env: Pick<Env, 'warn'>,
  read: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
    env.warn(`Skipped a corrupt checkpoint. ${error.message}`);
    return undefined;
  }
}

async function* listed({ store, env }: IndexContext, runId: string, options: ListOptions): AsyncGenerator<Listed> {
  const known = { limit: true, before: true, states: true } as const;
  const { limit = Number.MAX_SAFE_INTEGER, before } = checkOptions('checkpoints.list()', options, known);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'The limit of list() must be a whole number, 0 or more.');
  }
  const segments = await segmentsOfJournalRun(store, checkRunId(runId));
  const from = before === undefined ? undefined : await keyOf(store, segments, before);
  let left = limit;
  let waiting: { readonly placed: Placed; readonly head: Omit<CheckpointHead, 'parentId'> } | undefined;
  if (left === 0) return;
  for await (const placed of walkSnapshots({ store, segments, before: from })) {
    const head = headOf(placed);
    if (head === undefined) {
      env.warn(`Skipped the corrupt checkpoint ${formatCursor(placed.runId, placed.snapshot.seq)}.`);
      continue;
    }
    if (waiting !== undefined) {
      yield withParent(waiting, namedBase(waiting.placed, segments) ?? head.id);
      left -= 1;
      if (left === 0) return;
    }
    waiting = { placed, head };
  }
  if (waiting !== undefined) yield withParent(waiting, namedBase(waiting.placed, segments) ?? null);
}

function withParent(
  { placed, head }: { readonly placed: Placed; readonly head: Omit<CheckpointHead, 'parentId'> },
  parentId: string | null,
): Listed {
  return { placed, head: { ...head, parentId } };
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
  const head = headOf(placed);
  if (head === undefined) throw lostState(formatCursor(runId, snapshot.seq));
  return { ...head, state: await restoreState(store, placed) };
}

/** The error for a checkpoint that is not there. */
export function noCheckpoint(id: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_NOT_FOUND',
    `Checkpoint ${id} does not exist. list() shows the checkpoints of a run.`,
    { details: { checkpoint: id } },
  );
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
