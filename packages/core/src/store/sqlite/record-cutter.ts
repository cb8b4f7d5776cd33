import type { StoredRecord } from '../contract/commit.ts';
import { packRecords, unpackRecords } from './packed-row.ts';
import type { FoundRow } from './row-chain.ts';
import { firstSeq, type KnownRun, lastSeq } from './run-row.ts';
import type { Tables } from './tables.ts';

/** Which seqs go: those up to `low` and those past `high`. */
export interface Cut {
  readonly low: number;
  readonly high: number;
  /** Only counts. */
  readonly dryRun: boolean;
}

/** What went, and what is left. */
export interface CutResult {
  readonly records: number;
  readonly bytes: number;
  /** The run's last row now; 0 where none is left. */
  readonly last: number;
}

/** Takes records from the beginning and the end of a run; the row that a cut goes through keeps the rest of its own. */
export class RecordCutter {
  readonly #tables: Tables;
  #records = 0;
  #bytes = 0;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  cut(known: KnownRun, cut: Cut): CutResult {
    const top = Math.min(lastSeq(known), cut.high);
    const last = top < lastSeq(known) ? this.#cutAbove(known, cut) : known.head.last;
    if (cut.low < firstSeq(known.row) || top < firstSeq(known.row)) return this.#result(last);
    // In a dry run nothing has gone above, and the walk begins where it would.
    const left: KnownRun = cut.dryRun ? known : { ...known, row: { ...known.row, top }, head: { ...known.head, last } };
    this.#cutBelow(left, { ...cut, high: top });
    return this.#result(cut.low >= top ? 0 : last);
  }

  /** Gives the last row that is left. */
  #cutAbove(known: KnownRun, { high, dryRun }: Cut): number {
    for (const row of this.#tables.chain.walk(known, lastSeq(known))) {
      if (row.seq <= high) return row.id;
      const { kept } = this.#take(row, { low: 0, high, dryRun });
      if (kept.length === 0) continue;
      if (!dryRun) this.#tables.chain.replace(row, { ...packRecords(kept), prev: row.prev });
      return row.id;
    }
    return 0;
  }

  /** The first row that is left has none before it. */
  #cutBelow(known: KnownRun, { low, high, dryRun }: Cut): void {
    for (const row of this.#tables.chain.walk(known, Math.min(low + 1, high))) {
      const { kept } = this.#take(row, { low, high: lastSeq(known), dryRun });
      if (kept.length > 0 && !dryRun) this.#tables.chain.replace(row, { ...packRecords(kept), prev: 0 });
    }
  }

  #take(row: FoundRow, { low, high, dryRun }: Cut): { readonly kept: readonly StoredRecord[] } {
    const records = unpackRecords(row);
    const kept = records.filter(({ seq }) => seq > low && seq <= high);
    for (const { seq, id, text } of records) {
      if (seq > low && seq <= high) continue;
      this.#records += 1;
      this.#bytes += Buffer.byteLength(text);
      if (id !== undefined && !dryRun) this.#tables.ids.remove(row.run, id);
    }
    if (kept.length === 0 && !dryRun) this.#tables.chain.remove(row);
    return { kept };
  }

  #result(last: number): CutResult {
    return { records: this.#records, bytes: this.#bytes, last };
  }
}
