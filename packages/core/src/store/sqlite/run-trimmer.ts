import type { SnapshotKey, StoredSnapshot } from '../contract/commit.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { RecordCutter } from './record-cutter.ts';
import { firstSeq, type KnownRun, lastSeq } from './run-row.ts';
import { hiddenBit } from './run-state.ts';
import type { RunChange } from './run-table.ts';
import type { SizedSnapshot } from './snapshot-table.ts';
import type { Tables } from './tables.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** Carries out retention plans in the transaction that is open. */
export class RunTrimmer {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Refuses the plan whole, or counts what goes and, unless it is only tried, lets it go. */
  trim(plan: TrimPlan): TrimResult {
    const known = this.#tables.runs.find(plan.runId);
    if (known === undefined) return { ok: false, why: 'missing' };
    const snapshots = this.#snapshotsThatGo(known, plan);
    if (this.#forksForbid(known, plan, snapshots)) return { ok: false, why: 'forks' };
    if (plan.floor !== undefined && !this.#canRaiseFloor(known, plan.floor, plan.snapshot)) {
      return { ok: false, why: 'floor' };
    }
    const { records, bytes } = this.#carryOut(known, plan);
    const freed = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, bytes);
    return { ok: true, records, snapshots: snapshots.length, bytes: freed };
  }

  #snapshotsThatGo(
    { row: { key } }: KnownRun,
    { floor = 0, hide, drop = [], remove }: TrimPlan,
  ): readonly SizedSnapshot[] {
    const { snapshots } = this.#tables;
    const dropped = new Map(drop.map((place) => [nameOf(place), place]));
    if (remove === true) return snapshots.sizes(key);
    if (floor === 0 && hide === undefined) return snapshots.sizes(key, [...dropped.values()]);
    const top = hide?.keepTo ?? highest;
    return snapshots
      .sizes(key)
      .filter((place) => place.covers < floor || place.covers > top || place.seq > top || dropped.has(nameOf(place)));
  }

  #forksForbid({ row }: KnownRun, { floor = 0, hide, remove }: TrimPlan, snapshots: readonly SnapshotKey[]): boolean {
    const bases = this.#tables.runs.basesOn(row);
    if (bases.length === 0 || remove === true) return bases.length > 0;
    // A fork of a journal run begins with the snapshot of its base's seq, however little of the journal that one covers.
    const begins = new Set(row.loop === 0 ? [] : snapshots.map(({ seq }) => seq));
    return bases.some((seq) => seq < floor || (hide !== undefined && seq > hide.keepTo) || begins.has(seq));
  }

  #canRaiseFloor({ row, head }: KnownRun, floor: number, given: StoredSnapshot | undefined): boolean {
    if (floor > head.seq || floor < firstSeq(row) - 1) return false;
    return given?.covers === floor || this.#tables.snapshots.covers(row.key, floor);
  }

  #carryOut(known: KnownRun, plan: TrimPlan): { readonly records: number; readonly bytes: number } {
    const { floor = 0, hide, remove, dryRun = false } = plan;
    const cutter = new RecordCutter(this.#tables);
    const low = remove === true ? highest : floor;
    const { last, ...freed } = cutter.cut(known, { low, high: hide?.keepTo ?? highest, dryRun });
    if (!dryRun) this.#change(known, plan, last);
    return freed;
  }

  #change(known: KnownRun, plan: TrimPlan, last: number): void {
    const { row, head } = known;
    const { runs, snapshots } = this.#tables;
    const added = plan.snapshot === undefined ? 0 : snapshots.put(row.key, plan.snapshot);
    const gone = this.#snapshotsThatGo(known, plan);
    for (const place of gone) snapshots.remove(row.key, place);
    if (plan.remove === true) {
      runs.remove(row);
      return;
    }
    const fence = head.fence + (plan.hide === undefined ? 0 : 1);
    const changed = runs.change(row, changeOf(known, plan), head.frontier);
    runs.changeHead(changed, { ...head, last, fence, snaps: head.snaps + added - gone.length }, head);
  }
}

function changeOf(known: KnownRun, { floor, hide }: TrimPlan): RunChange {
  const { state } = known.row;
  return {
    ...(floor === undefined ? {} : { floor }),
    ...(hide === undefined
      ? {}
      : { state: state | hiddenBit, worker: null, top: Math.min(lastSeq(known), hide.keepTo) }),
  };
}

function nameOf({ covers, seq }: SnapshotKey): string {
  return `${covers}/${seq}`;
}
