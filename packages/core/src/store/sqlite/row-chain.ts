import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import { countOf, type PackedRow, type RowPlace, sumOfPlace } from './packed-row.ts';
import { firstSeq, type KnownRun, lastSeq } from './run-row.ts';
import { roomFor, rowsOf } from './together.ts';

/** One mark is kept for as many seqs. */
const markEvery = 64;

const readRow = 'SELECT run, seq, prev, parts, sum, text FROM rows WHERE id = ?';
/** Down the chain to the row that holds a seq; nothing but places is read on the way. */
const rowOf = `WITH RECURSIVE way (run, id, seq, prev) AS (
  SELECT run, id, seq, prev FROM rows WHERE run = ? AND id = ? AND seq = ?
  UNION ALL SELECT r.run, r.id, r.seq, r.prev FROM way w JOIN rows r ON r.id = w.prev
    WHERE w.seq > ? AND r.run = w.run AND r.seq BETWEEN ? AND w.seq - 1
) SELECT id, seq FROM way ORDER BY seq LIMIT 1`;
/** A row after the head, if that is as it is known: seq, parts, sum, text; run, seq, fence and sum of the head. */
export const insertRow = `INSERT INTO rows (run, seq, prev, parts, sum, text) SELECT run, ?, last, ?, ?, ? FROM heads
  WHERE run = ? AND seq = ? AND fence = ? AND sum = ?`;
/** What is bound for each of several rows. */
const columnsOfRow = 8;
/** Several at once: most of what a short statement costs is to carry it out at all. */
const insertRows = `INSERT INTO rows (run, seq, prev, parts, sum, text)
  SELECT v.column1, v.column2, h.last, v.column3, v.column4, v.column5
  FROM (VALUES ${rowsOf(columnsOfRow)}) AS v CROSS JOIN heads AS h
  WHERE h.run = v.column1 AND h.seq = v.column6 AND h.fence = v.column7 AND h.sum = v.column8`;
const insertFirst = 'INSERT INTO rows (run, seq, prev, parts, sum, text) VALUES (?, ?, 0, ?, ?, ?)';
const nextMark = 'SELECT seq, row FROM marks WHERE run = ? AND seq >= ? ORDER BY seq LIMIT 1';

/** A row of records that was found where it has to be. */
export interface FoundRow extends PackedRow, RowPlace {
  readonly id: number;
  /** The seq of its first record. */
  readonly first: number;
}

interface StoredRow extends PackedRow, RowPlace {
  readonly sum: number;
}

interface Mark {
  readonly seq: number;
  readonly row: number;
}

/** Where to begin: the row with this id, which ends with this seq. */
interface Anchor {
  readonly id: number;
  readonly seq: number;
}

/** A row for a run as it is known. */
export interface Appending {
  readonly known: KnownRun;
  readonly packed: PackedRow;
}

/** Rows of records, each chained to its run's row before it. */
export class RowChain {
  readonly #connection: Connection;
  readonly #values = roomFor(columnsOfRow);
  /** The newest row that this connection knows of. */
  #newest: number | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The id that a row would get, if no other process has written since; undefined where that is not known yet. */
  get nextId(): number | undefined {
    return this.#newest === undefined ? undefined : this.#newest + 1;
  }

  /** A row has got this id. */
  tookId(id: number): void {
    this.#newest = id;
  }

  /** Chains a row to the head, if that is still as it is known; gives its id, or undefined. */
  append({ row: { key }, head, headSum }: KnownRun, { seq, parts, text }: PackedRow): number | undefined {
    const sum = sumOfPlace({ run: key, seq, prev: head.last, parts });
    const id = this.#connection.insert(insertRow, seq, parts, sum, text, key, head.seq, head.fence, headSum);
    if (id === undefined) return undefined;
    this.#newest = id;
    if (isMarked(head.seq + 1, seq)) this.#mark(key, { id, seq });
    return id;
  }

  /** Chains a row to each of `together` heads, if all are still as they are known; gives the first of the ids, or undefined. */
  appendAll(steps: readonly Appending[]): number | undefined {
    const values = this.#values;
    let at = 0;
    for (const { known, packed } of steps) {
      const { row, head, headSum } = known;
      const { seq, parts, text } = packed;
      values[at++] = row.key;
      values[at++] = seq;
      values[at++] = parts;
      values[at++] = sumOfPlace({ run: row.key, seq, prev: head.last, parts });
      values[at++] = text;
      values[at++] = head.seq;
      values[at++] = head.fence;
      values[at++] = headSum;
    }
    const { count, first } = this.#connection.insertAll(insertRows, values);
    if (count !== steps.length) {
      for (let id = first; id < first + count; id += 1) this.#connection.run('DELETE FROM rows WHERE id = ?', id);
      return undefined;
    }
    this.#newest = first + count - 1;
    let id = first;
    for (const { known, packed } of steps) {
      if (isMarked(known.head.seq + 1, packed.seq)) this.#mark(known.row.key, { id, seq: packed.seq });
      id += 1;
    }
    return first;
  }

  /** The first row of a new run, which comes after this seq; gives its id. */
  begin(run: number, after: number, { seq, parts, text }: PackedRow): number {
    const sum = sumOfPlace({ run, seq, prev: 0, parts });
    const id = this.#connection.insert(insertFirst, run, seq, parts, sum, text) as number;
    this.#newest = id;
    if (isMarked(after + 1, seq)) this.#mark(run, { id, seq });
    return id;
  }

  /** The id of the head's last row, if the head is still as it is known. */
  lastAt({ row: { key }, head: { seq, fence, last }, headSum }: KnownRun): number | undefined {
    const sql = 'SELECT 1 AS found FROM heads WHERE run = ? AND seq = ? AND fence = ? AND sum = ?';
    return this.#connection.get(sql, key, seq, fence, headSum) === undefined ? undefined : last;
  }

  /**
   * The run's rows from the one that holds the seq down to its first, each checked.
   *
   * @throws HOLDFAST_CORRUPT
   */
  *walk(known: KnownRun, from: number): Generator<FoundRow, void, void> {
    const lowest = firstSeq(known.row);
    if (from < lowest) return;
    let at: Anchor | undefined = this.#anchor(known, from);
    while (at !== undefined) {
      const row: FoundRow = this.#read(known, at);
      if (row.first <= from) yield row;
      at = row.first === lowest ? undefined : { id: row.prev, seq: row.first - 1 };
    }
  }

  /** Puts other records of the same commit in the place of a row's, at the beginning or the end of what is left. */
  replace(row: FoundRow, by: PackedRow & { readonly prev: number }): void {
    const { id, run } = row;
    const { seq, prev, parts, text } = by;
    const sum = sumOfPlace({ run, seq, prev, parts });
    const sql = 'UPDATE rows SET seq = ?, prev = ?, parts = ?, sum = ?, text = ? WHERE id = ?';
    this.#connection.run(sql, seq, prev, parts, sum, text, id);
    this.#connection.run('DELETE FROM marks WHERE run = ? AND seq = ?', run, row.seq);
    if (isMarked(seq - countOf(parts) + 1, seq)) this.#mark(run, { id, seq });
  }

  remove({ id, run, first, seq }: FoundRow): void {
    this.#connection.run('DELETE FROM rows WHERE id = ?', id);
    if (isMarked(first, seq)) this.#connection.run('DELETE FROM marks WHERE run = ? AND seq = ?', run, seq);
  }

  /** The row that holds the seq; where the way to it is corrupt, one from which reading on finds the corruption. */
  #anchor(known: KnownRun, from: number): Anchor {
    const { key } = known.row;
    const mark = this.#connection.get(nextMark, key, from) as Mark | undefined;
    const near = mark === undefined ? { id: known.head.last, seq: lastSeq(known) } : { id: mark.row, seq: mark.seq };
    if (near.seq === from) return near;
    const [id, seq] = this.#connection.columns(rowOf, key, near.id, near.seq, from, from) ?? [];
    return typeof id === 'number' && typeof seq === 'number' ? { id, seq } : near;
  }

  /** Ids of rows are used again, so that only run and seq tell whether it is the one. */
  #read({ row: runRow }: KnownRun, { id, seq }: Anchor): FoundRow {
    const { key, run: runId } = runRow;
    const wrong = (what: string): Error => corrupt({ table: 'rows', runId, seq }, what);
    const stored = this.#connection.get(readRow, id) as StoredRow | undefined;
    if (stored === undefined) throw wrong('it is missing');
    const { prev, parts, text } = stored;
    if (stored.run !== key || stored.seq !== seq) throw wrong('another row is in its place');
    if (sumOfPlace(stored) !== stored.sum || typeof text !== 'string') throw wrong('its checksum does not match');
    // Not spread: that takes as long as reading it.
    const row: FoundRow = { id, run: key, seq, prev, parts, text, first: seq - countOf(parts) + 1 };
    const lowest = firstSeq(runRow);
    if (row.first < lowest || (row.first === lowest) !== (row.prev === 0))
      throw wrong('it does not fit the one before');
    if (isMarked(row.first, seq)) this.#checkMark(runId, row);
    return row;
  }

  #checkMark(runId: string, { run: key, seq, id }: FoundRow): void {
    const row = this.#connection.value('SELECT row FROM marks WHERE run = ? AND seq = ?', key, seq);
    if (row !== id) throw corrupt({ table: 'marks', runId, seq }, 'it does not lead to its row');
  }

  #mark(run: number, { id, seq }: Anchor): void {
    this.#connection.run('INSERT INTO marks (run, seq, row) VALUES (?, ?, ?)', run, seq, id);
  }
}

/** Whether a mark stands at a row with these seqs. */
export function isMarked(first: number, last: number): boolean {
  return Math.floor(last / markEvery) > Math.floor((first - 1) / markEvery);
}
