import { holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import { addSteps, newMeter, type SnapshotMeter } from '../history/snapshot-policy.ts';
import { readPages } from '../journal/read-entries.ts';
import { lineageSegments } from '../journal/run-journal.ts';
import type { Entry } from '../record/record.ts';
import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { loadLimit } from '../store/contract/lease.ts';
import type { Located } from '../store/contract/read.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { type LoadedParts, missingRecord } from '../store/open-run.ts';
import { printable } from '../value/printable.ts';
import { foldRecord } from './fold/fold-record.ts';
import { stateOfRunSnapshot } from './fold/run-snapshot.ts';
import { newRunState, type RunState } from './fold/run-state.ts';

/** A graph run as stored, and how much was written since its last snapshot. */
export interface LoadedRun {
  readonly header: RunHeader;
  /** Where its journal is, its own segment first. */
  readonly segments: readonly Segment[];
  readonly state: RunState;
  readonly meter: SnapshotMeter;
  /** The id that was asked for, if the run or one that it was forked from has it. */
  readonly known: Located<KnownId> | undefined;
}

interface LoadOptions {
  /** The run after this record. Default: the current run. */
  readonly upTo?: number | undefined;
  /** Also finds this record id, in the same round trip. */
  readonly id?: string | undefined;
}

/** Reads a graph run that is known to exist. @throws HOLDFAST_CORRUPT, HOLDFAST_NOT_FOUND when it was deleted meanwhile */
export async function loadRun(
  store: CheckedStore,
  { runId }: Pick<RunHeader, 'runId'>,
  options: LoadOptions = {},
): Promise<LoadedRun> {
  const found = await findRun(store, runId, options);
  if (found !== undefined) return found;
  throw holdfastError('HOLDFAST_NOT_FOUND', `Run "${runId}" was deleted.`, { details: { runId } });
}

/**
 * Reads a graph run in one round trip: its newest readable snapshot and the records after it. The cost depends on the
 * size of the state, not on the length of the history. Undefined if the run does not exist.
 *
 * @throws HOLDFAST_CORRUPT
 */
export async function findRun(
  store: CheckedStore,
  runId: string,
  { upTo, id }: LoadOptions = {},
): Promise<LoadedRun | undefined> {
  const parts = await store.load({ runId, upTo, limit: loadLimit, id });
  return parts && foldRun(store, parts, { upTo });
}

/** The state of a run that was read with at most `loadLimit` records; the rest is read here. @throws HOLDFAST_CORRUPT */
export async function foldRun(store: CheckedStore, parts: LoadedParts, { upTo }: LoadOptions = {}): Promise<LoadedRun> {
  const { header, lineage, snapshot, entries, bytes } = parts;
  const { runId } = header;
  const segments = lineageSegments([header, ...lineage]);
  const state = snapshot === undefined ? newRunState(runId) : stateOfRunSnapshot(runId, snapshot.covers, snapshot.body);
  const fresh: SnapshotMeter = snapshot === undefined ? newMeter : { since: 0, mark: 0 };
  foldEntries(state, runId, entries);
  let meter = addSteps(fresh, { count: entries.length, bytes });
  if (entries.length === loadLimit) {
    const rest = { store, segments: cutAt(segments, upTo), order: 'oldest', after: state.head } as const;
    for await (const page of readPages(rest)) {
      foldEntries(state, runId, page.entries);
      meter = addSteps(meter, { count: page.entries.length, bytes: page.bytes });
    }
  }
  state.runId = runId;
  if (upTo === undefined && state.head !== header.head) await checkHead(store, header, state);
  checkOpenTasks(state);
  return { header, segments, state, meter, known: parts.id };
}

/** Someone may have written or deleted the run while it was read. If not, every commit to it would be refused. */
async function checkHead(store: CheckedStore, { runId, head }: RunHeader, state: RunState): Promise<void> {
  const now = await store.header(runId);
  if (now === undefined) return;
  if (state.head < head) throw missingRecord(runId, state.head + 1);
  if (state.head <= now.head) return;
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `Record ${runId}@${state.head} is past the head of its run, ${now.head}. Run verify.`,
    { details: { runId, seq: state.head, where: `${runId}@${state.head}` } },
  );
}

/** A task that no super-step has would never end, and its run would never wait. */
function checkOpenTasks({ runId, head, open, frontier }: RunState): void {
  for (const { place } of open.values()) {
    const isPlanned = frontier.includes(place.node) && (place.item === undefined || place.item < (place.of ?? 0));
    if (isPlanned) continue;
    throw holdfastError(
      'HOLDFAST_CORRUPT',
      `The journal of run "${runId}" has records of node "${printable(place.node)}", which its super-step does not run. Run verify.`,
      { details: { runId, seq: head, where: `${runId}@${head}`, node: place.node } },
    );
  }
}

function foldEntries(state: RunState, runId: string, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.seq !== state.head + 1) throw missingRecord(runId, state.head + 1);
    foldRecord(state, entry);
  }
}

function cutAt(segments: readonly Segment[], upTo = Number.MAX_SAFE_INTEGER): readonly Segment[] {
  return segments
    .filter(({ after }) => after < upTo)
    .map((segment) => (segment.upTo > upTo ? { ...segment, upTo } : segment));
}
