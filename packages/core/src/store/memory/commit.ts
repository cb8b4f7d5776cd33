import type { Batch, BatchResult, DoubtResult, Refusal } from '../contract/commit.ts';
import type { NewRun } from '../contract/run.ts';
import type { MemoryPlace } from './memory-place.ts';
import { MemoryRun } from './memory-run.ts';

/** Carries out one batch, or refuses it. */
export function commitBatch(place: MemoryPlace, batch: Batch): BatchResult {
  const known = place.runs.get(batch.runId);
  const epoch = epochOf(place, batch.runId);
  const why = refusalOf(place, batch, known) ?? (batch.epoch === epoch ? undefined : 'epoch');
  if (why !== undefined) return { ok: false, why, found: known?.header(), epoch };
  const run = known ?? new MemoryRun(batch, batch.create as NewRun);
  if (known === undefined) {
    place.runs.set(batch.runId, run);
    place.voids.delete(batch.runId);
  }
  run.apply(batch);
  place.hint(run);
  return { ok: true };
}

/** Tells whether the batch was committed. If not, makes sure that it never will be. */
export function resolveDoubt(place: MemoryPlace, batch: Batch, now: number): DoubtResult {
  const run = place.runs.get(batch.runId);
  if (run?.tokenAfter(batch.expect) === batch.token) return { outcome: 'committed' };
  if (batch.records.length === 0 || run?.hasDropped(batch.expect + 1)) return { outcome: 'unknown' };
  const epoch = epochOf(place, batch.runId) + 1;
  if (run !== undefined) run.epoch = epoch;
  else place.keepVoid(batch.runId, { epoch, at: now });
  return { outcome: 'absent', found: run?.header(), epoch };
}

function epochOf(place: MemoryPlace, runId: string): number {
  return place.runs.get(runId)?.epoch ?? place.voids.get(runId)?.epoch ?? 0;
}

function refusalOf(place: MemoryPlace, batch: Batch, known: MemoryRun | undefined): Refusal | undefined {
  if (batch.create !== null) {
    if (known !== undefined) return 'exists';
    return canForkFrom(place, batch.create, batch.copy !== undefined) ? undefined : 'base';
  }
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  if (batch.fence !== null && batch.fence !== known.fence) return 'fence';
  return batch.expect === known.head ? undefined : 'head';
}

function canForkFrom(place: MemoryPlace, { forkedAt, kind }: NewRun, isCopy: boolean): boolean {
  if (forkedAt === null) return true;
  const { runId, seq } = forkedAt;
  const run = place.runs.get(runId);
  if (run === undefined || (run.draft && !isCopy)) return false;
  if (seq < run.firstSeq - 1 || seq > run.lastSeq || seq <= (run.fixed.forkedAt?.seq ?? 0)) return false;
  return kind === 'graph' || run.snapshots.some((snapshot) => snapshot.seq === seq);
}

/** Parts of a copy continue hidden, complete runs. All other writers write to visible runs. */
function isWritable(run: MemoryRun, { copy }: Batch): boolean {
  return copy === undefined ? !run.hidden : run.hidden && run.lastSeq === run.head;
}
