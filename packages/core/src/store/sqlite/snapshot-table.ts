import type { SnapshotKey, StoredSnapshot } from '../contract/commit.ts';
import type { SnapshotQuery } from '../contract/read.ts';
import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import type { KnownRun } from './run-row.ts';

const columns = 'p.covers, p.seq, s.headCrc, s.bodyCrc, s.head';
const below = 'run = ? AND covers <= ? AND (covers, seq) < (?, ?)';
/** By the index alone, and then to each row: one that is not where the index says is seen, and not left out. */
const places = `SELECT id, covers, seq FROM snapshots INDEXED BY snapshots_place
  WHERE ${below} ORDER BY covers DESC, seq DESC LIMIT ?`;
const range = `FROM (${places}) AS p LEFT JOIN snapshots AS s ON s.id = p.id ORDER BY p.covers DESC, p.seq DESC`;
const find = 'SELECT id FROM snapshots WHERE run = ? AND covers = ? AND seq = ?';
const insert = `INSERT OR REPLACE INTO snapshots (id, run, covers, seq, headCrc, bodyCrc, head, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const highest = Number.MAX_SAFE_INTEGER;

interface SnapshotRow extends SnapshotKey {
  readonly headCrc: number;
  readonly bodyCrc: number;
  readonly head: string;
  readonly body: string | null;
}

/** A snapshot's place and its size. */
export interface SizedSnapshot extends SnapshotKey {
  readonly bytes: number;
}

/** The snapshots of all runs. */
export class SnapshotTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Newest first. @throws HOLDFAST_CORRUPT when one is missing at the end of the list */
  read(known: KnownRun, { covers = highest, before, limit, bodies }: SnapshotQuery): readonly StoredSnapshot[] {
    const { key } = known.row;
    const place = before ?? { covers: highest, seq: highest };
    const sql = `SELECT ${columns}, ${bodies ? 's.body' : 'NULL'} AS body ${range}`;
    const rows = this.#connection.all(sql, key, covers, place.covers, place.seq, limit) as SnapshotRow[];
    // A state can be folded from the journal without its snapshot; the checkpoint of a journal run cannot.
    if (rows.length < limit && (limit > 1 || known.row.loop !== 0)) this.#checkCount(known);
    return rows.map(({ covers, seq, headCrc, bodyCrc, head, body }) => ({
      covers,
      seq,
      head: { text: textOf(head), crc: headCrc },
      body: body === null ? undefined : { text: textOf(body), crc: bodyCrc },
    }));
  }

  /** Takes the place of one with the same key; how many more there are now. */
  put(run: number, { covers, seq, head, body }: StoredSnapshot): number {
    const known = this.#connection.value(find, run, covers, seq);
    const { text, crc } = body ?? { text: '', crc: 0 };
    this.#connection.run(insert, known ?? null, run, covers, seq, head.crc, crc, head.text, text);
    return known === undefined ? 1 : 0;
  }

  remove(run: number, { covers, seq }: SnapshotKey): void {
    this.#connection.run('DELETE FROM snapshots WHERE run = ? AND covers = ? AND seq = ?', run, covers, seq);
  }

  /** All of the run, or those with one of these keys. */
  sizes(run: number, keys?: readonly SnapshotKey[]): readonly SizedSnapshot[] {
    const sql = 'SELECT covers, seq, octet_length(head) + octet_length(body) AS bytes FROM snapshots WHERE run = ?';
    if (keys === undefined) return this.#connection.all(sql, run) as SizedSnapshot[];
    const one = `${sql} AND covers = ? AND seq = ?`;
    return keys.flatMap(({ covers, seq }) => this.#connection.all(one, run, covers, seq) as SizedSnapshot[]);
  }

  /** Whether one stands at this seq, however much it covers. Most cover nearly all, so the search is short. */
  standsAt(run: number, seq: number): boolean {
    const sql =
      'SELECT 1 AS found FROM snapshots WHERE run = ? AND covers <= ? AND seq = ? ORDER BY covers DESC LIMIT 1';
    return this.#connection.get(sql, run, seq, seq) !== undefined;
  }

  covers(run: number, covers: number): boolean {
    const sql = 'SELECT 1 AS found FROM snapshots WHERE run = ? AND covers = ? LIMIT 1';
    return this.#connection.get(sql, run, covers) !== undefined;
  }

  /** Whoever has come to the end of the list is told if it is not whole. */
  #checkCount({ row: { key, run: runId }, head: { snaps } }: KnownRun): void {
    const sql = `SELECT count(*) FROM snapshots WHERE ${below}`;
    const count = this.#connection.value(sql, key, highest, highest, highest) as number;
    if (count !== snaps) throw corrupt({ table: 'snapshots', runId }, `there are ${count} and not ${snaps}`);
  }
}

/** A text that corruption has made a blob has the right bytes and is none; an empty one does not match its checksum. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
