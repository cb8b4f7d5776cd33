import type { SnapshotKey, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { compareSnapshots } from '../snapshot-order.ts';
import type { MemoryPlace } from './memory-place.ts';
import type { MemoryRun } from './memory-run.ts';

/** Carries out a retention plan, or refuses all of it. */
export function trimRun(place: MemoryPlace, plan: TrimPlan, now: number): TrimResult {
  const run = place.runs.get(plan.runId);
  if (run === undefined) return { ok: false, why: 'missing' };
  if (plan.head !== undefined && plan.head !== run.head) return { ok: false, why: 'head' };
  if (forksForbid(place, run, plan)) return { ok: false, why: 'forks' };
  if (plan.floor !== undefined && !canRaiseFloor(run, plan.floor, plan.snapshot)) return { ok: false, why: 'floor' };
  const goes = plan.remove ? { records: run.records, snapshots: run.snapshots } : whatGoes(run, plan);
  if (!plan.dryRun) {
    if (plan.remove) remove(place, run, now);
    else change(run, plan);
  }
  return freed(goes);
}

function forksForbid(place: MemoryPlace, run: MemoryRun, plan: TrimPlan): boolean {
  const bases = place.forksOf(run.runId).map((fork) => fork.fixed.forkedAt?.seq ?? 0);
  if (bases.length === 0 || plan.remove === true) return bases.length > 0;
  const { floor = 0, hide } = plan;
  // A fork of a journal run starts from the snapshot at its base's seq, however little of the journal that covers.
  const begins =
    run.fixed.kind === 'journal' ? new Set(whatGoes(run, plan).snapshots.map(({ seq }) => seq)) : new Set();
  return bases.some((seq) => seq < floor || (hide !== undefined && seq > hide.keepTo) || begins.has(seq));
}

function canRaiseFloor(run: MemoryRun, floor: number, given: StoredSnapshot | undefined): boolean {
  if (floor > run.head || floor < run.firstSeq - 1) return false;
  return given?.covers === floor || run.snapshots.some((snapshot) => snapshot.covers === floor);
}

interface Goes {
  readonly records: readonly StoredRecord[];
  readonly snapshots: readonly StoredSnapshot[];
}

function whatGoes(run: MemoryRun, { floor = 0, hide, drop = [] }: TrimPlan): Goes {
  const top = hide?.keepTo ?? Number.MAX_SAFE_INTEGER;
  const isDropped = (key: SnapshotKey): boolean => drop.some((dropped) => compareSnapshots(dropped, key) === 0);
  return {
    records: run.records.filter(({ seq }) => seq <= floor || seq > top),
    snapshots: run.snapshots.filter(
      (snapshot) => snapshot.covers < floor || snapshot.covers > top || snapshot.seq > top || isDropped(snapshot),
    ),
  };
}

function remove(place: MemoryPlace, { runId, epoch }: MemoryRun, now: number): void {
  place.runs.delete(runId);
  if (epoch > 0) place.keepVoid(runId, { epoch, at: now });
}

function change(run: MemoryRun, plan: TrimPlan): void {
  if (plan.snapshot !== undefined) run.keepSnapshot(plan.snapshot);
  const goes = whatGoes(run, plan);
  run.drop(new Set(goes.records), new Set(goes.snapshots));
  if (plan.floor !== undefined) run.floor = plan.floor;
  const { ids = [], forgetIds = Number.NEGATIVE_INFINITY, hide } = plan;
  run.addIds(ids);
  run.dropIds(({ seq, at }) => (seq <= run.floor && at < forgetIds) || (hide !== undefined && seq > hide.keepTo));
  if (plan.hide !== undefined) run.hide();
}

function freed({ records, snapshots }: Goes): TrimResult {
  const texts = [...records, ...snapshots.flatMap(({ head, body }) => (body === undefined ? [head] : [head, body]))];
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return { ok: true, records: records.length, snapshots: snapshots.length, bytes, more: false };
}
