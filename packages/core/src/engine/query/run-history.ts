import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { Segment } from '../../history/lineage.ts';
import type { Keepable } from '../../history/plan-retention.ts';
import type { Checkpoint } from '../../journal/checkpoint/checkpoint.ts';
import { readEntries } from '../../journal/read-entries.ts';
import { loadSegments } from '../../journal/run-journal.ts';
import { type Entry, placeEntry, type RecordKind } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { payloadOf } from '../../runner/fold/payload.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import { checkOptions } from '../../value/check/check-options.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { formatCursor, type Place, parseCursor } from '../../value/cursor.ts';
import type { HistoryOptions } from '../graph-run.ts';
import { stateOf } from './outcome.ts';
import { shownStatus } from './run-summary.ts';

/** The run whose history is read. */
export interface HistoryContext {
  readonly store: CheckedStore;
  readonly header: RunHeader;
  readonly graph: CompiledGraph | undefined;
}

/** The kinds of records that are checkpoints: the state after each is complete. */
const marks: ReadonlySet<RecordKind> = new Set<RecordKind>(['run-start', 'superstep', 'turn', 'migrate', 'fork']);
/** Start with small pages, then grow them: most readers want only a few. */
const pageSizes = [8, 64, 256];

/** The checkpoints of a run and its bases, newest first. Loads only what is read. */
export async function* readHistory(context: HistoryContext, options: HistoryOptions): AsyncGenerator<Checkpoint> {
  const { limit = Number.MAX_SAFE_INTEGER, before } = checkOptions('history()', options, { limit: true, before: true });
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'The limit of history() must be a whole number, 0 or more.', {
      details: { option: 'limit' },
    });
  }
  const segments = await loadSegments(context.store, context.header);
  let below = before === undefined ? context.header.head + 1 : seqOf(before);
  let left = limit;
  // With a limit, the caller wants them all. Without one, it may stop at any time.
  const sizes = options.limit === undefined ? pageSizes : pageSizes.slice(-1);
  for (let pages = 0; left > 0; pages += 1) {
    const size = Math.min(left, sizes[Math.min(pages, sizes.length - 1)] as number);
    const page = await readPage(context, segments, { below, size });
    yield* page.slice(0, left);
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    left -= page.length;
    below = last.seq;
  }
}

/**
 * The run at the end of the last super-step up to a checkpoint. Default: the current run.
 *
 * @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_NOT_FOUND
 */
export async function checkpointAt(context: HistoryContext, at: string | undefined): Promise<Checkpoint> {
  const { store, header } = context;
  const segments = await loadSegments(store, header);
  const seq = at === undefined ? header.head : placeIn(segments, header, at);
  const [found] = await readPage(context, segments, { below: seq + 1, size: 1 });
  if (found === undefined) throw noCheckpoint(header.runId, at);
  return at === undefined ? found : { ...found, status: await statusFrom(context, segments, found) };
}

/** The status of the run until its next checkpoint, as in `history`. */
async function statusFrom(
  { store, header }: HistoryContext,
  segments: readonly Segment[],
  { seq, status }: Checkpoint,
): Promise<Checkpoint['status']> {
  if (header.head === seq) return status;
  for await (const entry of readEntries({ store, segments, order: 'oldest', after: seq, wanted: 8 })) {
    if (entry.kind === 'run-end') return payloadOf(entry, 'run-end').status;
    if (marks.has(entry.kind)) break;
  }
  return 'running';
}

function noCheckpoint(runId: string, at: string | undefined): Error {
  return holdfastError('HOLDFAST_NOT_FOUND', `Run "${runId}" has no checkpoint at or before ${at}.`, {
    details: { runId, checkpoint: at },
  });
}

/** The seq of the last checkpoint up to a place. Reads only records. @throws HOLDFAST_NOT_FOUND */
export async function checkpointSeq(
  store: CheckedStore,
  { header, seq: at }: { readonly header: RunHeader; readonly seq: number },
): Promise<number> {
  const segments = await loadSegments(store, header);
  for await (const { kind, seq } of readEntries({
    store,
    segments: cut(segments, at + 1),
    order: 'newest',
    wanted: 8,
  })) {
    if (marks.has(kind)) return seq;
  }
  const floor = floorOf(segments);
  if (floor > 0 && floor <= at) return floor;
  throw noCheckpoint(header.runId, formatCursor(header.runId, at));
}

/** The seq of a checkpoint of this run or one of its bases. @throws HOLDFAST_NOT_FOUND */
export function placeIn(segments: readonly Segment[], { runId, head }: RunHeader, at: string): number {
  const place = parseCursor(at);
  const floor = floorOf(segments);
  const upTo = place.runId === runId ? head : segments.find((segment) => segment.runId === place.runId)?.upTo;
  if (upTo !== undefined && place.seq <= Math.min(upTo, head) && place.seq >= floor) return place.seq;
  throw holdfastError(
    'HOLDFAST_NOT_FOUND',
    `${at} is not in the history of run "${runId}". Its history goes from ${floor} to ${head}.`,
    {
      details: { runId, checkpoint: at },
    },
  );
}

/** The seq at which a run's history begins: its own floor, or that of a trimmed base. */
function floorOf(segments: readonly Segment[]): number {
  return segments.at(-1)?.floor ?? 0;
}

function seqOf(id: string): number {
  return parseCursor(id).seq;
}

interface Page {
  readonly below: number;
  readonly size: number;
}

/** Finds the checkpoints backwards, then folds forwards once: the state is loaded once per page. */
async function readPage(
  context: HistoryContext,
  segments: readonly Segment[],
  { below, size }: Page,
): Promise<readonly Checkpoint[]> {
  const { store, header } = context;
  const found: Entry[] = [];
  const between: Entry[] = [];
  let parent: Entry | undefined;
  for await (const entry of readEntries({
    store,
    segments: cut(segments, below),
    order: 'newest',
    // In most runs: one record per checkpoint, the one before them, and the run's end.
    wanted: size + 2,
  })) {
    if (marks.has(entry.kind)) {
      if (found.length === size) {
        parent = entry;
        break;
      }
      found.push(entry);
    }
    between.push(entry);
  }
  const oldest = found.at(-1);
  const atFloor = found.length < size ? await floorCheckpoint(context, segments, below) : [];
  if (oldest === undefined) return atFloor;
  const { state } = await loadRun(store, header, { upTo: oldest.seq });
  const checkpoints: Checkpoint[] = [];
  const statuses = statusesOf(between);
  let last: Place | undefined = parent ?? atFloor[0];
  for (const entry of between.toReversed()) {
    if (entry.seq > oldest.seq) foldRecord(state, entry);
    else if (entry.seq < oldest.seq) continue;
    if (!marks.has(entry.kind)) continue;
    const status = statuses.get(entry.seq) ?? 'running';
    checkpoints.push(checkpointOf(context, { entry, state, parent: last, status }));
    last = entry;
  }
  return [...checkpoints.toReversed(), ...atFloor];
}

/** The checkpoint at the floor of a pruned run: its record is gone, but its snapshot exists. */
async function floorCheckpoint(
  context: HistoryContext,
  segments: readonly Segment[],
  below: number,
): Promise<readonly Checkpoint[]> {
  const { store, header } = context;
  const { runId, floor } = segments.at(-1) as Segment;
  if (floor === 0 || floor >= below) return [];
  const at = await floorTime(store, { runId, floor, createdAt: header.createdAt });
  const { state } = await loadRun(store, header, { upTo: floor });
  const entry = placeEntry({ kind: 'superstep', at, payload: {} }, runId, floor);
  return [checkpointOf(context, { entry, state, parent: undefined, status: 'running' })];
}

/** The time of the checkpoint at the floor. */
async function floorTime(
  store: CheckedStore,
  { runId, floor, createdAt }: Pick<RunHeader, 'runId' | 'floor' | 'createdAt'>,
): Promise<number> {
  const [snapshot] = await store.snapshots({ runId, covers: floor, limit: 1, bodies: false });
  const head: unknown = snapshot?.ok === true && snapshot.covers === floor ? snapshot.head : undefined;
  return isPlainObject(head) && typeof head['at'] === 'number' ? head['at'] : createdAt;
}

/** The run's own checkpoints, newest first, for retention. Those of its base are pruned with the base. */
export async function ownMarks(store: CheckedStore, header: RunHeader): Promise<readonly Keepable[]> {
  const { runId, head, floor, forkedAt } = header;
  const segments = [{ runId, after: Math.max(floor, forkedAt?.seq ?? 0), upTo: head, floor }];
  const found: Keepable[] = [];
  let status: RunStatus = header.status;
  for await (const { kind, seq, at, payload } of readEntries({ store, segments, order: 'newest' })) {
    if (kind === 'run-end') status = (payload as { readonly status: RunStatus }).status;
    if (!marks.has(kind)) continue;
    found.push({ id: formatCursor(runId, seq), seq, covers: seq, status, at });
    status = 'running';
  }
  if (floor > 0) {
    found.push({
      id: formatCursor(runId, floor),
      seq: floor,
      covers: floor,
      status,
      at: await floorTime(store, header),
    });
  }
  return found;
}

function cut(segments: readonly Segment[], below: number): readonly Segment[] {
  return segments
    .filter(({ after }) => after < below - 1)
    .map((segment) => (segment.upTo >= below ? { ...segment, upTo: below - 1 } : segment));
}

/** The status after each checkpoint, by seq. `between` is newest first. */
function statusesOf(between: readonly Entry[]): ReadonlyMap<number, RunStatus> {
  const statuses = new Map<number, RunStatus>();
  let status: RunStatus = 'running';
  for (const entry of between) {
    if (entry.kind === 'run-end') status = payloadOf(entry, 'run-end').status;
    if (!marks.has(entry.kind)) continue;
    statuses.set(entry.seq, status);
    status = 'running';
  }
  return statuses;
}

interface Mark {
  readonly entry: Entry;
  readonly state: RunState;
  readonly parent: Place | undefined;
  readonly status: RunStatus;
}

function checkpointOf({ header, graph }: HistoryContext, { entry, state, parent, status }: Mark): Checkpoint {
  const { runId, seq, at, kind } = entry;
  const forkLabel = parent === undefined ? '' : `fork-of:${parent.runId}`;
  const label = kind === 'fork' ? (payloadOf(entry, 'fork').label ?? forkLabel) : '';
  return {
    id: formatCursor(runId, seq),
    runId,
    graph: header.graph,
    seq,
    covers: seq,
    superstep: state.superstep,
    ...(state.turn.name !== undefined && { turn: state.turn.name }),
    parentId: parent === undefined ? null : formatCursor(parent.runId, parent.seq),
    label,
    next: state.frontier,
    status: header.head === seq ? shownStatus(header) : status,
    at: new Date(at),
    state: readable(state, graph),
    metadata: { version: state.version, inFlightTasks: 0 },
  };
}

/** If the code is of another version, the state is shown as the journal has it. */
function readable(state: RunState, graph: CompiledGraph | undefined): Readonly<Record<string, unknown>> {
  if (graph?.version !== state.version) return stateOf(state, undefined);
  try {
    return stateOf(state, graph);
  } catch (error) {
    if (HoldfastError.is(error)) return stateOf(state, undefined);
    throw error;
  }
}
