import type { StoredId } from '../../contract/commit.ts';
import type { IdQuery } from '../../contract/read.ts';
import type { Connection } from '../connection/connection.ts';
import type { KnownRun } from './run-row.ts';

const columns = 'id, seq, at, crc, text';
const findOne = `SELECT ${columns} FROM ids WHERE run = ? AND id = ? AND seq <= ?`;
const findPage = `SELECT ${columns} FROM ids WHERE run = ? AND id > ? AND seq <= ? ORDER BY id LIMIT ?`;
const insert = `INSERT OR REPLACE INTO ids (run, ${columns}) VALUES (?, ?, ?, ?, ?, ?)`;
const some = (condition: string): string =>
  `DELETE FROM ids WHERE run = ? AND id IN (SELECT id FROM ids WHERE run = ? AND ${condition} LIMIT ?)`;
const dropBelow = some('seq <= ? AND at < ?');
const dropAbove = some('seq > ?');

/** Which ids go: those of trimmed records that are older than this, and those past what a hidden run keeps. */
interface GoingIds {
  readonly before: number | undefined;
  readonly limit: number;
}

/** The ids that users chose for records, also for those that were trimmed. */
export class IdTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** What is past the last seq that a hidden run keeps may still wait to be dropped. */
  read(known: KnownRun, { id, upTo = Number.MAX_SAFE_INTEGER, after = '', limit }: IdQuery): readonly StoredId[] {
    const { key } = known.row;
    const highest = Math.min(upTo, known.row.top ?? Number.MAX_SAFE_INTEGER);
    const found =
      id === undefined
        ? this.#connection.all(findPage, key, after, highest, limit)
        : this.#connection.all(findOne, key, id, highest).filter((row) => (row as StoredId).id > after);
    return (found as StoredId[]).map(({ id: found, seq, at, crc, text }) => ({ id: found, seq, at, crc, text }));
  }

  add(run: number, ids: readonly StoredId[]): void {
    for (const { id, seq, at, crc, text } of ids) this.#connection.run(insert, run, id, seq, at, crc, text);
  }

  /** Drops some of the ids that a trimmed run no longer keeps. True if some may be left. */
  drop({ row: { key, floor, top } }: KnownRun, { before, limit }: GoingIds): boolean {
    const below = before === undefined ? 0 : this.#connection.run(dropBelow, key, key, floor, before, limit);
    const above = top === null ? 0 : this.#connection.run(dropAbove, key, key, top, limit);
    return below === limit || above === limit;
  }

  /** Drops some of the ids of a removed run. True if some may be left. */
  dropAll(run: number, limit: number): boolean {
    return this.#connection.run(dropAbove, run, run, -1, limit) === limit;
  }
}
