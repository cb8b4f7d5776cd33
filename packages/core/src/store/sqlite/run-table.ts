import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import type { SqliteValue } from './database.ts';
import { parkedAt } from './parked-at.ts';
import {
  type HeadRow,
  type KnownRun,
  likeOthers,
  type RunNames,
  type RunRow,
  readRun,
  runColumns,
  runJoins,
  sumOfHead,
  sumOfRow,
  tagsOf,
} from './run-row.ts';
import { roomFor, rowsOf } from './together.ts';

const findByRun = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.run = ?`;
const findByKey = `SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.key = ?`;
const insertRun = `INSERT INTO runs (run, createdAt, loop, graph, version, base, baseSeq, parent, state, parked,
  wakeAt, worker, kinds, waits, tags, floor, top, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertHead = `INSERT INTO heads (run, seq, last, fence, claims, step, snaps, age, sum, token, frontier)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** What a step changes of a head: seq, last, step, age, sum, token, frontier; the run. */
export const moveHead = `UPDATE heads SET seq = ?, last = ?, step = ?, age = ?, sum = ?, token = ?, frontier = ?
  WHERE run = ?`;
const updateHead = `UPDATE heads SET seq = ?, last = ?, fence = ?, claims = ?, step = ?, snaps = ?, age = ?,
  sum = ?, token = ?, frontier = ? WHERE run = ?`;
const columnsOfHead = 11;
/** For heads that are there: a statement that inserts takes several at once, one that updates does not. */
const replaceHeads = `INSERT OR REPLACE INTO heads
  (run, seq, last, fence, claims, step, snaps, age, sum, token, frontier) VALUES ${rowsOf(columnsOfHead)}`;
const insertTag = 'INSERT INTO tags (name, value, createdAt, run) VALUES (?, ?, ?, ?)';
const deleteTag = 'DELETE FROM tags WHERE name = ? AND value = ? AND createdAt = ? AND run = ?';
const hasTag = 'SELECT 1 AS found FROM tags WHERE name = ? AND value = ? AND createdAt = ? AND run = ?';

/** The columns of a run's row that change after its creation. */
const changing = ['state', 'parked', 'wakeAt', 'worker', 'kinds', 'waits', 'tags', 'floor', 'top'] as const;

/** What can change of a run's row; where it is parked follows from that. */
export type RunChange = Partial<Pick<RunRow, Exclude<(typeof changing)[number], 'parked'>>>;

/** The runs and their heads. */
export class RunTable {
  readonly #connection: Connection;
  readonly #names: RunNames;
  readonly #headValues = roomFor(columnsOfHead);

  constructor(connection: Connection, names: RunNames) {
    this.#connection = connection;
    this.#names = names;
  }

  exists(runId: string): boolean {
    return this.#connection.value('SELECT key FROM runs WHERE run = ?', runId) !== undefined;
  }

  /** @throws HOLDFAST_CORRUPT */
  find(runId: string): KnownRun | undefined {
    const columns = this.#connection.columns(findByRun, runId);
    return columns === undefined ? undefined : readRun(columns, this.#names);
  }

  /** A run whose head or index entry is there. @throws HOLDFAST_CORRUPT */
  at(key: number): KnownRun {
    const columns = this.#connection.columns(findByKey, key);
    if (columns === undefined) throw corrupt({ table: 'runs' }, `the run with key ${key} is missing`);
    return readRun(columns, this.#names);
  }

  /** The new run's key. */
  create(row: Omit<RunRow, 'key'>): number {
    const key = this.#connection.insert(insertRun, ...this.#values(row), sumOfRow(row)) as number;
    this.#addTags({ ...row, key });
    return key;
  }

  /**
   * Changes the row of a run whose head has this frontier, and of it only the columns that have another value: an index
   * on an unchanged one costs nothing then. The checksum of the head is of the worker as well: whoever changes that
   * changes the head.
   */
  change(row: RunRow, change: RunChange, frontier: string): RunRow {
    const { worker = row.worker, state = row.state } = change;
    const parked = parkedAt({ worker, loop: row.loop, state }, frontier);
    const changed = likeOthers({ ...row, ...change, parked });
    const names = changing.filter((name) => changed[name] !== row[name]);
    if (names.length === 0) return row;
    if (names.includes('tags')) this.#removeTags(row);
    const sql = `UPDATE runs SET ${names.map((name) => `${name} = ?`).join(', ')}, sum = ? WHERE key = ?`;
    this.#connection.run(sql, ...names.map((name) => this.#stored(changed, name)), sumOfRow(changed), row.key);
    if (names.includes('tags')) this.#addTags(changed);
    return changed;
  }

  createHead(row: RunRow, head: HeadRow): number {
    const { seq, last, fence, claims, step, snaps, age, token, frontier } = head;
    const sum = sumOfHead(row, head);
    this.#connection.run(insertHead, row.key, seq, last, fence, claims, step, snaps, age, sum, token, frontier);
    return sum;
  }

  /** The checksum of the new head. What most commits leave as it is, is left out. */
  changeHead(row: RunRow, head: HeadRow, before: HeadRow): number {
    const { seq, last, fence, claims, step, snaps, age, token, frontier } = head;
    const { key } = row;
    const sum = sumOfHead(row, head);
    if (fence === before.fence && claims === before.claims && snaps === before.snaps) {
      this.#connection.run(moveHead, seq, last, step, age, sum, token, frontier, key);
    } else {
      this.#connection.run(updateHead, seq, last, fence, claims, step, snaps, age, sum, token, frontier, key);
    }
    return sum;
  }

  /** Writes `together` new heads of runs that are there. */
  changeHeads(changed: readonly KnownRun[]): void {
    const values = this.#headValues;
    let at = 0;
    for (const { row, head, headSum } of changed) {
      values[at++] = row.key;
      values[at++] = head.seq;
      values[at++] = head.last;
      values[at++] = head.fence;
      values[at++] = head.claims;
      values[at++] = head.step;
      values[at++] = head.snaps;
      values[at++] = head.age;
      values[at++] = headSum;
      values[at++] = head.token;
      values[at++] = head.frontier;
    }
    this.#connection.run(replaceHeads, ...values);
  }

  remove(row: RunRow): void {
    this.#removeTags(row);
    this.#connection.run('DELETE FROM heads WHERE run = ?', row.key);
    this.#connection.run('DELETE FROM runs WHERE key = ?', row.key);
  }

  /** The tags of a run are found by their own rows: each has to be there. @throws HOLDFAST_CORRUPT */
  checkTags(row: RunRow): void {
    for (const [name, value] of Object.entries(tagsOf(row))) {
      if (this.#connection.value(hasTag, name, value, row.createdAt, row.key) !== undefined) continue;
      throw corrupt({ table: 'tags', runId: row.run }, `the tag ${JSON.stringify(name)} is missing`);
    }
  }

  /** The seqs that forks stand on. */
  basesOn({ key }: RunRow): readonly number[] {
    const sql = 'SELECT DISTINCT baseSeq AS seq FROM runs WHERE base = ?';
    return (this.#connection.all(sql, key) as { readonly seq: number }[]).map(({ seq }) => seq);
  }

  #stored(row: RunRow, name: (typeof changing)[number]): SqliteValue {
    return name === 'parked' ? this.#parkedKey(row) : row[name];
  }

  #parkedKey({ parked }: Pick<RunRow, 'parked'>): number | null {
    return parked === null ? null : this.#names.frontiers.keyOf(parked);
  }

  #values(row: Omit<RunRow, 'key'>): SqliteValue[] {
    const { run: runId, createdAt, loop, graph, version, base, baseSeq, parent: parentId, state } = row;
    const { wakeAt, worker, kinds, waits, tags, floor, top } = row;
    const fixed = [runId, createdAt, loop, this.#names.graphs.keyOf(graph), version, base, baseSeq, parentId];
    return [...fixed, state, this.#parkedKey(row), wakeAt, worker, kinds, waits, tags, floor, top];
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
