import type { StoredRecord } from '../../contract/commit.ts';
import { isCorruption } from '../../is-corruption.ts';
import { firstSeq, lastSeq } from '../../table/table-run.ts';
import { type KnownRun } from '../run/run-row.ts';
import type { Tables } from '../run/tables.ts';
import { packRecords, unpackRecords } from './packed-row.ts';
import type { FoundRow } from './row-chain.ts';

/** Which seqs go: those up to `low` and those past `high`. */
export interface Cut {
  readonly low: number;
  readonly high: number;
}

/** Drops the rows of a run that nobody sees any more, a bounded number of them; and counts. */
export class RowCutter {
  readonly #tables: Tables;
  #left: number;
  #records = 0;
  #bytes = 0;
  #hasMore = false;

  constructor(tables: Tables, rows: number) {
    this.#tables = tables;
    this.#left = rows;
  }

  get freed(): { readonly records: number; readonly bytes: number } {
    return { records: this.#records, bytes: this.#bytes };
  }

  /** Whether something waits for the next call. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Counts what a cut would drop. */
  count(known: KnownRun, { low, high }: Cut): void {
    const last = lastSeq(known);
    for (const row of high < last ? this.#tables.chain.walk(known, last) : []) {
      if (row.seq <= high) break;
      this.#tally(unpackRecords(row).filter(({ seq }) => seq > high));
    }
    const top = Math.min(last, high);
    for (const row of this.#tables.chain.walk(known, Math.min(low, top)))
      this.#tally(unpackRecords(row).filter(({ seq }) => seq >= firstSeq(known.row) && seq <= Math.min(low, top)));
  }

  /** Drops the rows above the last seq that the run keeps, and below its first. Returns the last row of its chain. */
  cut(known: KnownRun): number {
    const last = known.row.top === null ? known.head.last : this.#cutAbove(known, known.row.top);
    if (this.#hasMore || known.row.floor === 0) return last;
    return this.#cutBelow({ ...known, head: { ...known.head, last } });
  }

  /** Drops all rows of the run. Returns the last one that is left, or 0. */
  cutAll(known: KnownRun): number {
    return this.#dropFrom(known, known.head.last, Number.MAX_SAFE_INTEGER);
  }

  #cutAbove(known: KnownRun, top: number): number {
    const { chain } = this.#tables;
    let id = known.head.last;
    while (id !== 0) {
      const row = chain.readUnseen(known, id);
      if (row.seq <= top) break;
      if (row.first <= top) {
        this.#keepSome(row, { low: 0, high: top }, row.prev);
        break;
      }
      if (this.#left === 0) return this.#stop(id);
      this.#drop(row);
      id = row.prev;
    }
    return id;
  }

  /** The first row that is kept leads to what is left below it. */
  #cutBelow(known: KnownRun): number {
    const { chain } = this.#tables;
    const lowest = firstSeq(known.row);
    const first = chain.holding(known, lowest);
    if (first === undefined) return this.cutAll(known);
    const prev = this.#dropFrom(known, first.prev, first.first);
    if (first.first < lowest || prev !== first.prev) this.#keepSome(first, { low: lowest - 1, high: first.seq }, prev);
    return known.head.last;
  }

  /** Drops this row and those before it. Returns the next one that is left, or 0. */
  #dropFrom(known: KnownRun, from: number, first: number): number {
    let id = from;
    let below = first;
    while (id !== 0) {
      if (this.#left === 0) return this.#stop(id);
      const row = this.#unseen(known, id);
      if (row === undefined) return this.#dropLost(known, below);
      this.#drop(row);
      below = row.first;
      id = row.prev;
    }
    return 0;
  }

  /** Undefined if the row is corrupt: nothing leads on from it. */
  #unseen(known: KnownRun, id: number): FoundRow | undefined {
    try {
      return this.#tables.chain.readUnseen(known, id);
    } catch (error) {
      if (isCorruption(error)) return undefined;
      throw error;
    }
  }

  /** Drops whatever is left of the run below a seq. It is found by reading the whole table, and counts as nothing. */
  #dropLost({ row: { key } }: KnownRun, below: number): 0 {
    this.#tables.connection.run('DELETE FROM rows WHERE run = ? AND seq < ?', key, below);
    return 0;
  }

  #stop(id: number): number {
    this.#hasMore = true;
    return id;
  }

  #keepSome(row: FoundRow, { low, high }: Cut, prev: number): void {
    const records = unpackRecords(row);
    const kept = records.filter(({ seq }) => seq > low && seq <= high);
    this.#tally(records.filter(({ seq }) => seq <= low || seq > high));
    this.#tables.chain.rewrite(row, packRecords(kept), prev);
  }

  #drop(row: FoundRow): void {
    this.#left -= 1;
    this.#tally(unpackRecords(row));
    this.#tables.chain.remove(row);
  }

  #tally(records: readonly StoredRecord[]): void {
    this.#records += records.length;
    for (const { text } of records) this.#bytes += Buffer.byteLength(text);
  }
}
