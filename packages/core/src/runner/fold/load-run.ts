import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Segment } from '../../history/lineage.ts';
import { addSteps, newMeter, type SnapshotMeter } from '../../history/snapshot-policy.ts';
import { loadSegments } from '../../journal/lineage.ts';
import { readPages } from '../../journal/read-entries.ts';
import { walkSnapshots } from '../../journal/walk-snapshots.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { foldRecord } from './fold-record.ts';
import { stateOfRunSnapshot } from './run-snapshot.ts';
import { newRunState, type RunState } from './run-state.ts';

/** A run as it is in its store, and how much has been written since its last snapshot. */
export interface LoadedRun {
  readonly state: RunState;
  readonly meter: SnapshotMeter;
}

interface LoadOptions {
  /** The run as it was at the end of this record; default: as it is. */
  readonly upTo?: number | undefined;
}

/**
 * Reads a graph run: its newest snapshot that can be read, and the records after it. Costs what the state is large,
 * whatever its history.
 *
 * @throws HOLDFAST_CORRUPT
 */
export async function loadRun(store: CheckedStore, header: RunHeader, { upTo }: LoadOptions = {}): Promise<LoadedRun> {
  const segments = cutAt(await loadSegments(store, header), upTo);
  const base = await newestSnapshot(store, segments, header.runId);
  const state = base?.state ?? newRunState(header.runId);
  let meter: SnapshotMeter = base === undefined ? newMeter : { since: 0, mark: 0 };
  for await (const { entries, bytes } of readPages({ store, segments, order: 'oldest', after: state.head })) {
    for (const entry of entries) {
      if (entry.seq !== state.head + 1) throw missing(header.runId, state.head + 1);
      foldRecord(state, entry);
    }
    meter = addSteps(meter, { count: entries.length, bytes });
  }
  state.runId = header.runId;
  return { state, meter };
}

async function newestSnapshot(
  store: CheckedStore,
  segments: readonly Segment[],
  runId: string,
): Promise<{ readonly state: RunState } | undefined> {
  for await (const { runId: holder, snapshot } of walkSnapshots({ store, segments })) {
    if (!snapshot.ok) continue;
    const { covers, seq } = snapshot;
    const [whole] = await store.snapshots({
      runId: holder,
      covers,
      before: { covers, seq: seq + 1 },
      limit: 1,
      bodies: true,
    });
    // A corrupt snapshot is only a cache that was lost: an older one, or the journal, tells the same.
    if (whole?.ok === true && whole.seq === seq) return { state: stateOfRunSnapshot(runId, covers, whole.body) };
  }
  return undefined;
}

function cutAt(segments: readonly Segment[], upTo = Number.MAX_SAFE_INTEGER): readonly Segment[] {
  return segments
    .filter(({ after }) => after < upTo)
    .map((segment) => (segment.upTo > upTo ? { ...segment, upTo } : segment));
}

function missing(runId: string, seq: number): Error {
  return holdfastError('HOLDFAST_CORRUPT', `Record ${runId}@${seq} is missing from the store. Run verify.`, {
    details: { runId, seq, where: `${runId}@${seq}` },
  });
}
