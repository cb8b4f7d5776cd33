import { corrupt } from '../../table/corrupt.ts';
import { hiddenBit } from '../../table/table-run.ts';
import type { Connection } from '../connection/connection.ts';
import { FacetTable } from './facets.ts';
import {
  type HeadRow,
  type KnownRun,
  type RunRow,
  readRun,
  runColumns,
  runJoins,
  sumOfHead,
  sumOfRow,
} from './run-row.ts';

const findByRun = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.run = ?`;
const findByKey = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.key = ?`;
const insertRun = `INSERT INTO runs (run, createdAt, kind, graph, version, base, baseSeq, parent, state, early, wakeAt,
  worker, waits, tags, floor, top, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertHead = `INSERT INTO heads (run, seq, last, fence, epoch, claims, step, snaps, age, sum, frontier)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** What a batch changes of a head, if that is as it is known: seq, last, claims, step, snaps, age, sum, frontier; then what is known. */
export const moveHead = `UPDATE heads SET seq = ?, last = ?, claims = ?, step = ?, snaps = ?, age = ?, sum = ?, frontier = ?
  WHERE run = ? AND seq = ? AND fence = ? AND epoch = ? AND sum = ?`;
const updateHead = `UPDATE heads SET seq = ?, last = ?, fence = ?, epoch = ?, claims = ?, step = ?, snaps = ?, age = ?,
  sum = ?, frontier = ? WHERE run = ?`;

/** The columns of a run's row that change after its creation. */
const changing = ['run', 'state', 'early', 'wakeAt', 'worker', 'waits', 'tags', 'floor', 'top'] as const;

/** What can change of a run's row. */
export type RunChange = Partial<Pick<RunRow, (typeof changing)[number]>>;

/** The runs and their heads. */
export class RunTable {
  readonly #connection: Connection;
  readonly #facets: FacetTable;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#facets = new FacetTable(connection);
  }

  /** @throws HOLDFAST_CORRUPT */
  find(runId: string): KnownRun | undefined {
    const columns = this.#connection.columns(findByRun, runId);
    return columns === undefined ? undefined : readRun(columns);
  }

  /** A run whose head or index entry is there. @throws HOLDFAST_CORRUPT */
  at(key: number): KnownRun {
    const columns = this.#connection.columns(findByKey, key);
    if (columns === undefined) throw corrupt({ table: 'runs' }, `the run with key ${key} is missing`);
    return readRun(columns);
  }

  create(row: Omit<RunRow, 'key'>, head: HeadRow): KnownRun {
    const { run: runId, createdAt, kind, version, base, baseSeq, parent: parentId, state, early } = row;
    const { wakeAt, worker, waits, tags, floor, top } = row;
    const fixed = [runId, createdAt, kind, this.#graphKey(row.graph), version, base, baseSeq, parentId];
    const rest = [state, early, wakeAt, worker, waits, tags, floor, top, sumOfRow(row)];
    const key = this.#connection.insert(insertRun, ...fixed, ...rest);
    const known = knownRun({ key, ...row }, head);
    const { seq, last, fence, epoch, claims, step, snaps, age, frontier } = known.head;
    const values = [key, seq, last, fence, epoch, claims, step, snaps, age, known.headSum, frontier];
    this.#connection.run(insertHead, ...values);
    this.#facets.add(known);
    return known;
  }

  /** Moves the head by a batch, if it is still as it is known; nothing else changes. */
  move({ row: { key }, head: { seq, fence, epoch }, headSum }: KnownRun, { head, headSum: sum }: KnownRun): boolean {
    const { last, claims, step, snaps, age, frontier } = head;
    const changed = [head.seq, last, claims, step, snaps, age, sum, frontier, key, seq, fence, epoch, headSum];
    return this.#connection.run(moveHead, ...changed) === 1;
  }

  /** Writes what differs of a run's row, and of what it is found by: an index on an unchanged column costs nothing. */
  changeRow(known: KnownRun, changed: KnownRun): void {
    const { row } = changed;
    const names = row === known.row ? [] : changing.filter((name) => row[name] !== known.row[name]);
    if (names.length > 0) {
      const sql = `UPDATE runs SET ${names.map((name) => `${name} = ?`).join(', ')}, sum = ? WHERE key = ?`;
      this.#connection.run(sql, ...names.map((name) => row[name]), sumOfRow(row), row.key);
    }
    this.#facets.replace(known, changed);
  }

  /** Changes both rows of a run that was read in this transaction. */
  change(known: KnownRun, change: RunChange, head: HeadRow = known.head): KnownRun {
    const changed = changedRun(known, change, head);
    this.changeRow(known, changed);
    if (changed.headSum !== known.headSum) this.#writeHead(changed);
    return changed;
  }

  #writeHead({ row, head, headSum }: KnownRun): void {
    const { seq, last, fence, epoch, claims, step, snaps, age, frontier } = head;
    const values = [seq, last, fence, epoch, claims, step, snaps, age, headSum, frontier];
    this.#connection.run(updateHead, ...values, row.key);
  }

  /** Nothing is left of the run but rows of other tables. */
  remove(known: KnownRun): void {
    const { key } = known.row;
    this.#connection.run('DELETE FROM heads WHERE run = ?', key);
    this.#connection.run('DELETE FROM refusals WHERE run = ?', key);
    this.#connection.run('DELETE FROM runs WHERE key = ?', key);
  }

  /** What a search goes by leads to the run. @throws HOLDFAST_CORRUPT */
  checkFacets(known: KnownRun): void {
    this.#facets.check(known);
  }

  /** The seqs that forks stand on. */
  basesOn({ key }: RunRow): readonly number[] {
    const sql = 'SELECT DISTINCT baseSeq AS seq FROM runs WHERE base = ?';
    return (this.#connection.all(sql, key) as { readonly seq: number }[]).map(({ seq }) => seq);
  }

  hasVisibleFork(key: number): boolean {
    const sql = `SELECT 1 FROM runs WHERE base = ? AND state < ${hiddenBit} LIMIT 1`;
    return this.#connection.value(sql, key) !== undefined;
  }

  #graphKey(name: string): number {
    const known = this.#connection.value('SELECT key FROM graphs WHERE name = ?', name) as number | undefined;
    return known ?? this.#connection.insert('INSERT INTO graphs (name) VALUES (?)', name);
  }
}

/**
 * Both rows as objects like all others. One that was put together by spreading is a dictionary to V8: every commit of its
 * run would look its members up by name.
 */
function knownRun(row: RunRow, head: HeadRow, refusals: string | null = null): KnownRun {
  const like: RunRow = {
    key: row.key,
    run: row.run,
    createdAt: row.createdAt,
    kind: row.kind,
    graph: row.graph,
    version: row.version,
    base: row.base,
    baseRun: row.baseRun,
    baseSeq: row.baseSeq,
    parent: row.parent,
    state: row.state,
    early: row.early,
    wakeAt: row.wakeAt,
    worker: row.worker,
    waits: row.waits,
    tags: row.tags,
    floor: row.floor,
    top: row.top,
  };
  return { row: like, head, headSum: sumOfHead(like, head), refusals };
}

/** The run as it is after a change. Where its row stays, it is the same object. */
export function changedRun({ row, refusals }: KnownRun, change: RunChange, head: HeadRow): KnownRun {
  if (Object.keys(change).length > 0) return knownRun({ ...row, ...change }, head, refusals);
  return { row, head, headSum: sumOfHead(row, head), refusals };
}
