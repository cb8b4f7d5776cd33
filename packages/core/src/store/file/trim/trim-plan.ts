import type { SnapshotKey } from '../../contract/commit.ts';
import type { TrimPlan, TrimResult } from '../../contract/retention.ts';
import { compareSnapshots } from '../../snapshot-order.ts';
import type { SnapshotFile } from '../folder/names.ts';
import { nextTail } from '../run/batch-plan.ts';
import { type FileRunState, withSnapshot } from '../run/file-run-state.ts';
import { firstSeq, lastSeq, type Tail } from '../segment/tail.ts';

/** A retention plan that was checked. */
export interface PlannedTrim {
  /** How many of the records that are kept go. */
  readonly records: number;
  /** The snapshots that go. */
  readonly gone: readonly SnapshotFile[];
  /** Whether the snapshot of the plan is to be written. */
  readonly writes: boolean;
  readonly tail: Tail;
}

interface TrimCase {
  readonly state: FileRunState;
  readonly plan: TrimPlan;
  /** Where the forks of the run begin. */
  readonly bases: readonly number[];
}

/** What a plan comes to; or why it is refused, as the contract says. */
export function planTrim({ state, plan, bases }: TrimCase): PlannedTrim | Extract<TrimResult, { ok: false }> {
  if (plan.head !== undefined && plan.head !== state.tail.header.head) return { ok: false, why: 'head' };
  const goes = whatGoes(plan);
  const gone = state.snapshots.filter(goes);
  if (bases.some((seq) => standsOnWhatGoes({ state, plan, seq, gone }))) return { ok: false, why: 'forks' };
  if (plan.floor !== undefined && !canRaiseFloor(state, plan, plan.floor)) return { ok: false, why: 'floor' };
  const { tail } = state;
  const { floor = tail.header.floor, hide, snapshot } = plan;
  const hidden = { hidden: true, fence: tail.header.fence + 1, worker: null };
  const next = nextTail(tail, { ...tail.header, floor, ...(hide === undefined ? {} : hidden) });
  const keepTo = hide === undefined ? tail.keepTo : Math.min(hide.keepTo, tail.keepTo ?? hide.keepTo);
  const writes = snapshot !== undefined && !goes(snapshot);
  const kept = state.snapshots.filter((file) => !goes(file));
  const after = { ...next, keepTo };
  return {
    records: plan.remove ? countRecords(tail) : countRecords(tail) - countRecords(after),
    gone: plan.remove ? state.snapshots : gone,
    writes,
    tail: {
      ...after,
      snapshots: writes ? withSnapshot(kept, { ...snapshot, rev: next.rev }).length : kept.length,
      snapshot: writes ? { covers: snapshot.covers, seq: snapshot.seq } : null,
      dropped: gone.map(({ covers, seq }) => ({ covers, seq })),
    },
  };
}

function whatGoes({ floor = 0, hide, drop = [] }: TrimPlan): (key: SnapshotKey) => boolean {
  const top = hide?.keepTo ?? Number.MAX_SAFE_INTEGER;
  return (key) =>
    key.covers < floor || key.covers > top || key.seq > top || drop.some((each) => compareSnapshots(each, key) === 0);
}

interface Base {
  readonly state: FileRunState;
  readonly plan: TrimPlan;
  readonly seq: number;
  readonly gone: readonly SnapshotKey[];
}

/** A fork of a journal run begins with the snapshot of its base's seq, however little of the journal that one covers. */
function standsOnWhatGoes({ state, plan: { floor = 0, hide, remove }, seq, gone }: Base): boolean {
  if (remove === true || seq < floor || (hide !== undefined && seq > hide.keepTo)) return true;
  return state.tail.header.kind === 'journal' && gone.some((snapshot) => snapshot.seq === seq);
}

function canRaiseFloor({ tail, snapshots }: FileRunState, { snapshot }: TrimPlan, floor: number): boolean {
  if (floor > tail.header.head || floor < firstSeq(tail) - 1) return false;
  return snapshot?.covers === floor || snapshots.some(({ covers }) => covers === floor);
}

function countRecords(tail: Tail): number {
  return Math.max(0, lastSeq(tail) - firstSeq(tail) + 1);
}
