import type { Connection } from './connection.ts';
import { damaged } from './damaged.ts';
import type { SqliteValue } from './database.ts';
import {
  type HeadRow,
  type KnownRun,
  type RunRow,
  readRun,
  runColumns,
  runJoins,
  sumOfHead,
  sumOfRow,
  tagsOf,
} from './run-row.ts';
import { rowsOf } from './together.ts';

const findByRun = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.run = ?`;
const findByKey = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.key = ?`;
const insertRun = `INSERT INTO runs (run, createdAt, loop, graph, version, base, baseSeq, parent, state, wakeAt,
  worker, kinds, waits, tags, floor, top, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertHead = `INSERT INTO heads (run, seq, last, fence, claims, step, snaps, updatedAt, sum, token, frontier)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const moveHead = `UPDATE heads SET seq = ?, last = ?, step = ?, updatedAt = ?, sum = ?, token = ?, frontier = ?
  WHERE run = ?`;
const updateHead = `UPDATE heads SET seq = ?, last = ?, fence = ?, claims = ?, step = ?, snaps = ?, updatedAt = ?,
  sum = ?, token = ?, frontier = ? WHERE run = ?`;
/** For heads that are there: a statement that inserts takes several at once, one that updates does not. */
const replaceHeads = `INSERT OR REPLACE INTO heads
  (run, seq, last, fence, claims, step, snaps, updatedAt, sum, token, frontier) VALUES ${rowsOf(11)}`;
const insertTag = 'INSERT INTO tags (name, value, createdAt, run) VALUES (?, ?, ?, ?)';
const deleteTag = 'DELETE FROM tags WHERE name = ? AND value = ? AND createdAt = ? AND run = ?';
const hasTag = 'SELECT 1 AS found FROM tags WHERE name = ? AND value = ? AND createdAt = ? AND run = ?';

/** The columns of a run's row that change after its creation. */
const changing = ['state', 'wakeAt', 'worker', 'kinds', 'waits', 'tags', 'floor', 'top'] as const;

/** What can change of a run's row. */
export type RunChange = Partial<Pick<RunRow, (typeof changing)[number]>>;

/** The runs and their heads. */
export class RunTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  exists(run: string): boolean {
    return this.#connection.value('SELECT key FROM runs WHERE run = ?', run) !== undefined;
  }

  /** @throws HOLDFAST_DAMAGED */
  find(run: string): KnownRun | undefined {
    const columns = this.#connection.columns(findByRun, run);
    return columns === undefined ? undefined : readRun(columns);
  }

  /** A run whose head or index entry is there. @throws HOLDFAST_DAMAGED */
  at(key: number): KnownRun {
    const columns = this.#connection.columns(findByKey, key);
    if (columns === undefined) throw damaged({ table: 'runs' }, `the run with key ${key} is missing`);
    return readRun(columns);
  }

  /** The new run's key. */
  create(row: Omit<RunRow, 'key'>): number {
    const key = this.#connection.insert(insertRun, ...this.#values(row), sumOfRow(row)) as number;
    this.#addTags({ ...row, key });
    return key;
  }

  /** Changes only the columns that have another value: an index on an unchanged one costs nothing then. */
  change(row: RunRow, change: RunChange): RunRow {
    const names = changing.filter((name) => change[name] !== undefined && change[name] !== row[name]);
    if (names.length === 0) return row;
    const changed: RunRow = { ...row, ...change };
    if (names.includes('tags')) this.#removeTags(row);
    const sql = `UPDATE runs SET ${names.map((name) => `${name} = ?`).join(', ')}, sum = ? WHERE key = ?`;
    this.#connection.run(sql, ...names.map((name) => changed[name]), sumOfRow(changed), row.key);
    if (names.includes('tags')) this.#addTags(changed);
    return changed;
  }

  createHead(key: number, head: HeadRow): number {
    const { seq, last, fence, claims, step, snaps, updatedAt, token, frontier } = head;
    const sum = sumOfHead(key, head);
    this.#connection.run(insertHead, key, seq, last, fence, claims, step, snaps, updatedAt, sum, token, frontier);
    return sum;
  }

  /** The checksum of the new head. What most commits leave as it is, is left out. */
  changeHead(key: number, head: HeadRow, before: HeadRow): number {
    const { seq, last, fence, claims, step, snaps, updatedAt, token, frontier } = head;
    const sum = sumOfHead(key, head);
    if (fence === before.fence && claims === before.claims && snaps === before.snaps) {
      this.#connection.run(moveHead, seq, last, step, updatedAt, sum, token, frontier, key);
    } else {
      this.#connection.run(updateHead, seq, last, fence, claims, step, snaps, updatedAt, sum, token, frontier, key);
    }
    return sum;
  }

  /** The checksums of `together` new heads of runs that are there. */
  changeHeads(heads: readonly (readonly [key: number, head: HeadRow])[]): readonly number[] {
    const sums: number[] = [];
    const values: SqliteValue[] = [];
    for (const [key, head] of heads) {
      const { seq, last, fence, claims, step, snaps, updatedAt, token, frontier } = head;
      const sum = sumOfHead(key, head);
      sums.push(sum);
      values.push(key, seq, last, fence, claims, step, snaps, updatedAt, sum, token, frontier);
    }
    this.#connection.run(replaceHeads, ...values);
    return sums;
  }

  remove(row: RunRow): void {
    this.#removeTags(row);
    this.#connection.run('DELETE FROM heads WHERE run = ?', row.key);
    this.#connection.run('DELETE FROM runs WHERE key = ?', row.key);
  }

  /** The tags of a run are found by their own rows: each has to be there. @throws HOLDFAST_DAMAGED */
  checkTags(row: RunRow): void {
    for (const [name, value] of Object.entries(tagsOf(row))) {
      if (this.#connection.value(hasTag, name, value, row.createdAt, row.key) !== undefined) continue;
      throw damaged({ table: 'tags', run: row.run }, `the tag ${JSON.stringify(name)} is missing`);
    }
  }

  /** The seqs that forks stand on. */
  basesOn({ key }: RunRow): readonly number[] {
    const sql = 'SELECT DISTINCT baseSeq AS seq FROM runs WHERE base = ?';
    return (this.#connection.all(sql, key) as { readonly seq: number }[]).map(({ seq }) => seq);
  }

  #graphKey(name: string): number {
    const key = this.#connection.value('SELECT key FROM graphs WHERE name = ?', name);
    return (key ?? this.#connection.insert('INSERT INTO graphs (name) VALUES (?)', name)) as number;
  }

  #values(row: Omit<RunRow, 'key'>): SqliteValue[] {
    const { run, createdAt, loop, graph, version, base, baseSeq, parent, state } = row;
    const { wakeAt, worker, kinds, waits, tags, floor, top } = row;
    const fixed = [run, createdAt, loop, this.#graphKey(graph), version, base, baseSeq, parent];
    return [...fixed, state, wakeAt, worker, kinds, waits, tags, floor, top];
  }

  #addTags(row: RunRow): void {
    for (const [name, value] of Object.entries(tagsOf(row))) {
      this.#connection.run(insertTag, name, value, row.createdAt, row.key);
    }
  }

  #removeTags(row: RunRow): void {
    for (const [name, value] of Object.entries(tagsOf(row))) {
      this.#connection.run(deleteTag, name, value, row.createdAt, row.key);
    }
  }
}
