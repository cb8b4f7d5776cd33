import type { FoldState } from '../../delta/cell.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { type Change, changesBetween } from '../../history/diff-states.ts';
import type { Segment } from '../../history/lineage.ts';
import { readEntries } from '../../journal/read-entries.ts';
import { loadSegments } from '../../journal/run-journal.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkOptions } from '../../value/check/check-options.ts';
import { formatCursor, type Place, parseCursor } from '../../value/cursor.ts';
import { isRunId } from '../../value/id.ts';
import type { DiffOptions } from '../graph-run.ts';
import { notFound } from '../not-found.ts';
import { placeIn } from './run-history.ts';

/** Fold at most this many records. If the places are further apart, loading two snapshots is cheaper. */
const nearby = 512;

/** A run, and two checkpoints of any runs. */
export interface DiffPlaces {
  readonly header: RunHeader;
  readonly from: string;
  readonly to: string;
}

/**
 * The changes from one checkpoint to another.
 *
 * @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION
 */
export async function diffCheckpoints(
  store: CheckedStore,
  { header, from, to }: DiffPlaces,
  options: DiffOptions = {},
): Promise<readonly Change[]> {
  const known = { after: true, limit: true } as const;
  const { after = 0, limit = Number.MAX_SAFE_INTEGER } = checkOptions('diff()', options, known);
  for (const [option, value] of Object.entries({ after, limit })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw holdfastError('HOLDFAST_INVALID_OPTION', `The ${option} of diff() must be a whole number, 0 or more.`, {
      details: { option },
    });
  }
  const [before, then] = await statesAt(store, await spotOf(store, header, from), await spotOf(store, header, to));
  const changes: Change[] = [];
  let seen = 0;
  if (limit === 0) return changes;
  for (const change of changesBetween(before, then)) {
    seen += 1;
    if (seen > after) changes.push(change);
    if (changes.length === limit) break;
  }
  return changes;
}

/**
 * The changes from one state to another, of any two runs. A run's id stands for its head.
 *
 * @throws HOLDFAST_INVALID_CURSOR, HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION
 */
export async function diffRuns(
  store: CheckedStore,
  given: Omit<DiffPlaces, 'header'>,
  options?: DiffOptions,
): Promise<readonly Change[]> {
  const [from, to] = [await placeOf(store, given.from), await placeOf(store, given.to)];
  // The history of a fork still has the states of a base that was deleted.
  const header = (await store.header(parseCursor(from).runId)) ?? (await store.header(parseCursor(to).runId));
  if (header === undefined) throw notFound(parseCursor(from).runId);
  return diffCheckpoints(store, { header, from, to }, options);
}

async function placeOf(store: CheckedStore, runOrCheckpoint: string): Promise<string> {
  if (!isRunId(runOrCheckpoint)) return runOrCheckpoint;
  const header = await store.header(runOrCheckpoint);
  if (header === undefined || header.hidden) throw notFound(runOrCheckpoint);
  return formatCursor(header.runId, header.head);
}

/** A checkpoint, and a run whose history contains it. */
interface Spot extends Place {
  readonly header: RunHeader;
  readonly segments: readonly Segment[];
}

/** Finds deleted bases too: their forks still read them. */
async function spotOf(store: CheckedStore, own: RunHeader, checkpoint: string): Promise<Spot> {
  const { runId, seq } = parseCursor(checkpoint);
  const found = runId === own.runId ? own : await store.header(runId);
  const header = found ?? own;
  const segments = await loadSegments(store, header);
  if (header.kind === 'journal' || (found === undefined && !segments.some((segment) => segment.runId === runId)))
    throw notFound(runId);
  placeIn(segments, header, checkpoint);
  return { runId, seq, header, segments };
}

type States = readonly [FoldState, FoldState];

/**
 * The channels at two places. If the places are close in one history, the later state is folded from the earlier one:
 * unchanged values are then identical, and cost nothing to compare.
 */
async function statesAt(store: CheckedStore, from: Spot, to: Spot): Promise<States> {
  if (isAbove(to, from)) return statesAlong(store, from, to);
  if (isAbove(from, to)) return (await statesAlong(store, to, from)).toReversed() as unknown as States;
  return [await valuesAt(store, from), await valuesAt(store, to)];
}

function isAbove({ segments, seq: top }: Spot, { runId, seq }: Spot): boolean {
  const shares = segments.some((segment) => segment.runId === runId && seq <= segment.upTo);
  return shares && seq <= top && top - seq <= nearby;
}

async function statesAlong(store: CheckedStore, low: Spot, high: Spot): Promise<States> {
  const { state } = await loadRun(store, high.header, { upTo: low.seq });
  const before = state.values;
  const segments = high.segments
    .filter(({ after }) => after < high.seq)
    .map((segment) => ({ ...segment, upTo: Math.min(segment.upTo, high.seq) }));
  const wanted = Math.max(1, high.seq - low.seq);
  for await (const entry of readEntries({ store, segments, order: 'oldest', after: low.seq, wanted })) {
    foldRecord(state, entry);
  }
  return [before, state.values];
}

async function valuesAt(store: CheckedStore, { header, seq }: Spot): Promise<FoldState> {
  return (await loadRun(store, header, { upTo: seq })).state.values;
}
