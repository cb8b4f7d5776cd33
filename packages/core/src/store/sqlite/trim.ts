import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { isCorruption } from '../is-corruption.ts';
import { firstSeq, hiddenBit, lastSeq } from '../table/table-run.ts';
import { RowCutter } from './row/row-cutter.ts';
import { purgeRun } from './run/purge-run.ts';
import { type KnownRun, removedMark, removedState } from './run/run-row.ts';
import type { SizedSnapshot, SnapshotCondition } from './run/snapshot-table.ts';
import type { Tables } from './run/tables.ts';

const highest = Number.MAX_SAFE_INTEGER;
/** So many rows of records, snapshots and ids go with one call: a few milliseconds of work. */
const rowsPerCall = 1_000;

type Trimmed = TrimResult & { readonly ok: true };

/** What went with one call. */
interface Dropped {
  readonly snapshots: readonly SizedSnapshot[];
  readonly hasMoreIds: boolean;
}

/** Carries out retention plans in the transaction that is open. */
export class Trimmer {
  readonly #tables: Tables;
  readonly #rows: number;

  constructor(tables: Tables, { rows = rowsPerCall }: { readonly rows?: number | undefined } = {}) {
    this.#tables = tables;
    this.#rows = rows;
  }

  /** Refuses the plan whole, or counts what goes and, unless it is only tried, drops some of it. */
  trim(plan: TrimPlan, now: number): TrimResult {
    const known = this.#find(plan);
    if (known === 'corrupt') return this.#removeCorrupt(plan);
    if (known === undefined) {
      const isLeft = plan.remove === true && plan.dryRun !== true && this.#removedKey(plan.runId) !== undefined;
      return isLeft ? this.#dropRemoved(plan.runId) : { ok: false, why: 'missing' };
    }
    if (plan.head !== undefined && plan.head !== known.head.seq) return { ok: false, why: 'head' };
    if (this.#forksForbid(known, plan)) return { ok: false, why: 'forks' };
    if (plan.floor !== undefined && !this.#canRaiseFloor(known, plan)) return { ok: false, why: 'floor' };
    if (plan.dryRun === true) return this.#count(known, plan);
    if (plan.remove !== true) return this.#drop(known, plan);
    return this.#remove(known, now);
  }

  #remove(known: KnownRun, now: number): Trimmed {
    const { epoch } = known.head;
    if (epoch > 0) this.#tables.voids.put(known.row.run, { epoch, at: now });
    try {
      this.#rename(known);
    } catch (error) {
      if (!isCorruption(error)) throw error;
      // What it is found by cannot be told, and so not be dropped piece by piece.
      purgeRun(this.#tables.connection, known.row.key);
      return nothingCounted;
    }
    return this.#dropRemoved(known.row.run);
  }

  #find({ runId, remove }: TrimPlan): KnownRun | 'corrupt' | undefined {
    try {
      return this.#tables.runs.find(runId);
    } catch (error) {
      if (remove === true && isCorruption(error)) return 'corrupt';
      throw error;
    }
  }

  /**
   * Removes a run that cannot be read, with whatever names its key. Nothing of it can be counted. A fork that somebody may
   * want to mend keeps it; deleted ones do not.
   */
  #removeCorrupt({ runId, dryRun }: TrimPlan): TrimResult {
    const key = this.#tables.connection.value('SELECT key FROM runs WHERE run = ?', runId) as number;
    if (this.#tables.runs.hasVisibleFork(key)) return { ok: false, why: 'forks' };
    if (dryRun !== true) purgeRun(this.#tables.connection, key);
    return nothingCounted;
  }

  #forksForbid(known: KnownRun, plan: TrimPlan): boolean {
    const { floor = 0, hide, remove } = plan;
    const bases = this.#tables.runs.basesOn(known.row);
    if (bases.length === 0 || remove === true) return bases.length > 0;
    // A fork of a journal run begins with the snapshot of its base's seq, however little of the journal that one covers.
    const begins = new Set(known.row.kind === 0 ? [] : this.#snapshots(known, goesWith(plan)).map(({ seq }) => seq));
    return bases.some((seq) => seq < floor || (hide !== undefined && seq > hide.keepTo) || begins.has(seq));
  }

  #canRaiseFloor({ row, head }: KnownRun, { floor = 0, snapshot }: TrimPlan): boolean {
    if (floor > head.seq || floor < firstSeq(row) - 1) return false;
    return snapshot?.covers === floor || this.#tables.snapshots.covers(row, floor);
  }

  #snapshots({ row }: KnownRun, condition: SnapshotCondition, limit: number = highest): readonly SizedSnapshot[] {
    return this.#tables.snapshots.sizes(row.key, condition, limit);
  }

  #count(known: KnownRun, plan: TrimPlan): Trimmed {
    const { floor = 0, hide, remove } = plan;
    const cutter = new RowCutter(this.#tables, 0);
    cutter.count(known, { low: remove === true ? highest : floor, high: hide?.keepTo ?? highest });
    return trimmed(cutter, this.#snapshots(known, goesWith(plan)), { more: false });
  }

  #drop(known: KnownRun, plan: TrimPlan): Trimmed {
    const shown = this.#show(known, plan);
    // Those that the new floor does not hide have to go at once.
    const now = this.#snapshots(shown, both(goesWith(plan), not(isUnseen(shown))));
    const later = this.#snapshots(shown, isUnseen(shown), this.#rows);
    for (const snapshot of [...now, ...later]) this.#tables.snapshots.remove(snapshot);
    const cutter = new RowCutter(this.#tables, this.#rows);
    const last = cutter.cut(shown);
    const snaps = shown.head.snaps - now.length - later.length;
    this.#tables.runs.change(shown, {}, { ...shown.head, last, snaps });
    const hasMoreIds = this.#tables.ids.drop(shown, { before: plan.forgetIds, limit: this.#rows });
    const more = cutter.hasMore || later.length === this.#rows || hasMoreIds;
    return trimmed(cutter, [...now, ...later], { more });
  }

  /** Makes all of the plan visible: the floor, or what a hidden run keeps, hides what is dropped later. */
  #show(known: KnownRun, { floor = known.row.floor, hide, snapshot, ids }: TrimPlan): KnownRun {
    const { runs, snapshots } = this.#tables;
    const { row, head } = known;
    const added = snapshot === undefined || snapshots.find(row.key, snapshot) !== undefined ? 0 : 1;
    if (snapshot !== undefined) snapshots.put(row.key, snapshot);
    if (ids !== undefined) this.#tables.ids.add(row.key, ids);
    const shown = { floor, ...(hide && hiddenWith(known, hide.keepTo)) };
    const fence = head.fence + (hide === undefined ? 0 : 1);
    return runs.change(known, shown, { ...head, fence, snaps: head.snaps + added });
  }

  /** The run is gone for everyone, and its id is free; its rows stay under another name. */
  #rename(known: KnownRun): void {
    const { run: runId, key } = known.row;
    const run = `${removedMark}${runId}${removedMark}${key}`;
    const change = { run, state: removedState, worker: null, wakeAt: null, waits: null, tags: null };
    // Its chain may end anywhere.
    this.#tables.runs.change(known, { ...change, top: lastSeq(known) }, { ...known.head, frontier: '[]' });
  }

  /** Drops some of a removed run; and of others that a process left behind that died. */
  #dropRemoved(runId: string): Trimmed {
    const cutter = new RowCutter(this.#tables, this.#rows);
    const gone: SizedSnapshot[] = [];
    for (;;) {
      const key = this.#removedKey(runId) ?? this.#removedKey();
      if (key === undefined || cutter.hasMore || gone.length >= this.#rows) break;
      const dropped = this.#dropOrPurge(key, cutter);
      gone.push(...dropped.snapshots);
      if (dropped.hasMoreIds) break;
    }
    return trimmed(cutter, gone, { more: this.#removedKey(runId) !== undefined });
  }

  /** What is corrupt cannot be dropped piece by piece. */
  #dropOrPurge(key: number, cutter: RowCutter): Dropped {
    try {
      return this.#dropSome(this.#tables.runs.at(key), cutter);
    } catch (error) {
      if (!isCorruption(error)) throw error;
      purgeRun(this.#tables.connection, key);
      return { snapshots: [], hasMoreIds: false };
    }
  }

  #dropSome(known: KnownRun, cutter: RowCutter): Dropped {
    const { runs, snapshots } = this.#tables;
    const gone = this.#snapshots(known, everything, this.#rows);
    for (const snapshot of gone) snapshots.remove(snapshot);
    const last = cutter.cutAll(known);
    const hasMoreIds = this.#tables.ids.dropAll(known.row.key, this.#rows);
    const snaps = known.head.snaps - gone.length;
    if (last === 0 && gone.length < this.#rows && !hasMoreIds) runs.remove(known);
    else runs.change(known, {}, { ...known.head, last, snaps });
    return { snapshots: gone, hasMoreIds };
  }

  /** A removed run some of which is left: one that had this id, or any. */
  #removedKey(runId?: string): number | undefined {
    const name = runId === undefined ? removedMark : `${removedMark}${runId}${removedMark}`;
    const sql = 'SELECT key FROM runs WHERE run >= ? AND run < ? LIMIT 1';
    return this.#tables.connection.value(sql, name, `${name}\u{10ffff}`) as number | undefined;
  }
}

/** Of a run that cannot be read, nothing can be counted. */
const nothingCounted: Trimmed = { ok: true, records: 0, snapshots: 0, bytes: 0, more: false };

const everything: SnapshotCondition = { sql: 'TRUE', values: [] };

/** The snapshots that go with a plan. */
function goesWith({ floor = 0, hide, drop = [], remove }: TrimPlan): SnapshotCondition {
  if (remove === true) return everything;
  const top = hide?.keepTo ?? highest;
  const dropped = `(covers, seq) IN (SELECT value ->> 'covers', value ->> 'seq' FROM json_each(?))`;
  return {
    sql: `covers < ? OR covers > ? OR seq > ? OR ${dropped}`,
    values: [floor, top, top, JSON.stringify(drop)],
  };
}

/** The snapshots of a run that no reader is given. */
function isUnseen({ row: { floor, top } }: KnownRun): SnapshotCondition {
  const highestKept = top ?? highest;
  return {
    sql: '(covers < ? AND seq < ?) OR covers > ? OR seq > ?',
    values: [floor, floor, highestKept, highestKept],
  };
}

function both(a: SnapshotCondition, b: SnapshotCondition): SnapshotCondition {
  return { sql: `(${a.sql}) AND (${b.sql})`, values: [...a.values, ...b.values] };
}

function not({ sql, values }: SnapshotCondition): SnapshotCondition {
  return { sql: `NOT (${sql})`, values };
}

function hiddenWith(known: KnownRun, keepTo: number): Pick<KnownRun['row'], 'state' | 'worker' | 'top'> {
  return { state: known.row.state | hiddenBit, worker: null, top: Math.min(lastSeq(known), keepTo) };
}

function trimmed(
  cutter: RowCutter,
  snapshots: readonly SizedSnapshot[],
  { more }: { readonly more: boolean },
): Trimmed {
  const { records, bytes } = cutter.freed;
  const freed = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, bytes);
  return { ok: true, records, snapshots: snapshots.length, bytes: freed, more };
}
