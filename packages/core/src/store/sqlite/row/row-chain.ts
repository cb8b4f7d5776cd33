import { corrupt } from '../../table/corrupt.ts';
import { firstSeq, lastSeq } from '../../table/table-run.ts';
import type { Connection } from '../connection/connection.ts';
import { type KnownRun } from '../run/run-row.ts';
import { countOf, type PackedRow, type RowPlace, sumOfPlace } from './packed-row.ts';

/** One row for as many seqs is in the index. */
const markEvery = 64;

/** Appends a row: its id, run, seq, the row before it, whether it is marked, checksum, parts, token and text. */
export const insertRow =
  'INSERT INTO rows (id, run, seq, prev, mark, sum, parts, token, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const readRow = 'SELECT run, seq, prev, mark, parts, token, sum, text FROM rows WHERE id = ?';
const updateRow = 'UPDATE rows SET seq = ?, prev = ?, mark = ?, sum = ?, parts = ?, text = ? WHERE id = ?';
const nextMark = `SELECT id, seq FROM rows INDEXED BY rows_mark
  WHERE mark = 1 AND run = ? AND seq >= ? ORDER BY seq LIMIT 1`;
/** Down the chain to the row that holds a seq; nothing but places is read on the way. */
const rowOf = `WITH RECURSIVE way (run, id, seq, prev) AS (
  SELECT run, id, seq, prev FROM rows WHERE run = ? AND id = ? AND seq = ?
  UNION ALL SELECT r.run, r.id, r.seq, r.prev FROM way w JOIN rows r ON r.id = w.prev
    WHERE w.seq > ? AND r.run = w.run AND r.seq BETWEEN ? AND w.seq - 1
) SELECT id, seq FROM way ORDER BY seq LIMIT 1`;

/** A row of records that was found where it has to be. */
export interface FoundRow extends PackedRow, RowPlace {
  readonly id: number;
  /** The seq of its first record. */
  readonly first: number;
}

interface StoredRow extends PackedRow, RowPlace {
  readonly mark: number;
  readonly sum: number;
}

/** Where to begin: the row with this id, which ends with this seq. */
interface Anchor {
  readonly id: number;
  readonly seq: number;
}

/** A new row, and which place it gets. */
export type NewRow = PackedRow & RowPlace & Pick<FoundRow, 'id' | 'first'>;

/**
 * Rows of records, each chained to its run's row before it. The chain may continue below the floor, and past the last record
 * that a hidden run keeps: what is there waits to be dropped.
 */
export class RowChain {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The id that the next row gets, in the transaction that is open. */
  nextId(): number {
    return ((this.#connection.value('SELECT max(id) FROM rows') ?? 0) as number) + 1;
  }

  append(row: NewRow): void {
    const { id, run, seq, prev, parts, token, text } = row;
    this.#connection.run(insertRow, id, run, seq, prev, markOf(row), sumOfPlace(row), parts, token, text);
  }

  /**
   * The run's rows from the one that holds the seq down to its first, each checked.
   *
   * @throws HOLDFAST_CORRUPT
   */
  *walk(known: KnownRun, from: number): Generator<FoundRow, void, void> {
    const lowest = firstSeq(known.row);
    if (from < lowest || from > lastSeq(known)) return;
    let at: Anchor = this.#anchor(known, from);
    for (;;) {
      const row = this.#read(known, at);
      if (row.first <= from) yield row;
      if (row.first <= lowest) return;
      at = { id: row.prev, seq: row.first - 1 };
    }
  }

  /** The row that holds the seq; undefined where none does. @throws HOLDFAST_CORRUPT */
  holding(known: KnownRun, seq: number): FoundRow | undefined {
    const [row] = this.walk(known, seq);
    return row;
  }

  /** A row that waits to be dropped: some between it and the next may be gone. @throws HOLDFAST_CORRUPT */
  readUnseen(known: KnownRun, id: number): FoundRow {
    return this.#read(known, { id, seq: this.#seqOf(known, id) });
  }

  /** Ids are reused, so that only run and seq tell whether it is the row. */
  #read({ row: { key, run: runId } }: KnownRun, { id, seq }: Anchor): FoundRow {
    const wrong = (what: string): Error => corrupt({ table: 'rows', runId, seq }, what);
    const stored = this.#connection.get(readRow, id) as StoredRow | undefined;
    if (stored === undefined) throw wrong('it is missing');
    const { prev, parts, token, text } = stored;
    if (stored.run !== key || stored.seq !== seq) throw wrong('another row is in its place');
    if (sumOfPlace(stored) !== stored.sum || typeof text !== 'string') throw wrong('its checksum does not match');
    const count = countOf(parts);
    if (count === undefined) throw wrong('it does not say which records it has');
    // Not spread: that takes as long as reading it.
    const row: FoundRow = { id, run: key, seq, prev, parts, token, text, first: seq - count + 1 };
    if (stored.mark !== markOf(row)) throw wrong('its mark is wrong');
    return row;
  }

  /** Keeps only some of a row's records, at the beginning or the end of them, and what comes before it. */
  rewrite(row: FoundRow, { seq, parts, text }: PackedRow, prev: number): void {
    const { id, run, token } = row;
    const place = { run, seq, prev, parts, token };
    const mark = markOf({ first: seq - (countOf(parts) ?? 1) + 1, seq });
    this.#connection.run(updateRow, seq, prev, mark, sumOfPlace(place), parts, text, id);
  }

  remove({ id }: FoundRow): void {
    this.#connection.run('DELETE FROM rows WHERE id = ?', id);
  }

  /** The row that holds the seq; where the way to it is corrupt, one from which reading on finds the corruption. */
  #anchor(known: KnownRun, from: number): Anchor {
    const { key } = known.row;
    const { last, seq } = known.head;
    const mark = this.#connection.get(nextMark, key, from) as Anchor | undefined;
    // A hidden run's chain may still end anywhere past what it keeps.
    const near = mark ?? { id: last, seq: known.row.top === null ? seq : this.#seqOf(known, last) };
    if (near.seq === from) return near;
    const [id, found] = this.#connection.columns(rowOf, key, near.id, near.seq, from, from) ?? [];
    return typeof id === 'number' && typeof found === 'number' ? { id, seq: found } : near;
  }

  /** What a row says itself; 0 where it is missing, which reading it finds. */
  #seqOf({ row }: KnownRun, id: number): number {
    return (this.#connection.value('SELECT seq FROM rows WHERE run = ? AND id = ?', row.key, id) ?? 0) as number;
  }
}

/** Whether the index leads to a row with these seqs. */
function markOf({ first, seq }: Pick<FoundRow, 'first' | 'seq'>): number {
  return Math.floor(seq / markEvery) > Math.floor((first - 1) / markEvery) ? 1 : 0;
}
