import type { StoredRecord } from '../contract/commit.ts';
import type { RecordQuery } from '../contract/read.ts';
import { corrupt } from './corrupt.ts';
import { unpackRecords } from './packed-row.ts';
import { firstSeq, type KnownRun, lastSeq } from './run-row.ts';
import type { Tables } from './tables.ts';

/** Seqs of a run, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads the records of a run. */
export class RecordReader {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** @throws HOLDFAST_CORRUPT */
  read(known: KnownRun, query: RecordQuery): readonly StoredRecord[] {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, order, limit, id } = query;
    const from = Math.max(after + 1, firstSeq(known.row));
    const to = Math.min(before - 1, lastSeq(known));
    if (id !== undefined) return this.#byId(known, id).filter(({ seq }) => seq >= from && seq <= to);
    if (order === 'oldest') return this.#span(known, { from, to: Math.min(to, from + limit - 1) });
    return this.#span(known, { from: Math.max(from, to - limit + 1), to }).toReversed();
  }

  /** Oldest first. */
  #span(known: KnownRun, { from, to }: Span): readonly StoredRecord[] {
    if (to < from) return [];
    const found: StoredRecord[] = [];
    for (const row of this.#tables.chain.walk(known, to)) {
      for (const record of unpackRecords(row).toReversed()) {
        if (record.seq < from || record.seq > to) continue;
        if (record.id !== undefined) this.#checkId(known, record.id, record.seq);
        found.push(record);
      }
      if (row.first <= from) break;
    }
    return found.toReversed();
  }

  #byId(known: KnownRun, id: string): readonly StoredRecord[] {
    const seq = this.#tables.ids.find(known.row.key, id);
    if (seq === undefined) return [];
    const found = this.#span(known, { from: seq, to: Math.min(seq, lastSeq(known)) });
    if (found[0]?.id === id) return found;
    throw corrupt({ table: 'ids', runId: known.row.run, seq }, `it leads to a record that does not have the id ${id}`);
  }

  /** A record that its id does not lead to would be lost without a sign. */
  #checkId({ row: { key, run: runId } }: KnownRun, id: string, seq: number): void {
    if (this.#tables.ids.find(key, id) === seq) return;
    throw corrupt({ table: 'ids', runId, seq }, `the id ${id} does not lead to its record`);
  }
}
