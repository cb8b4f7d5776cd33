import type { SnapshotKey, StoredSnapshot } from '../../contract/commit.ts';
import type { SnapshotQuery } from '../../contract/read.ts';
import { corrupt } from '../../table/corrupt.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqliteValue } from '../connection/database.ts';
import type { KnownRun, RunRow } from './run-row.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** What is trimmed may still wait to be dropped: below the floor, or past what a hidden run keeps. */
const kept = 'run = ? AND (covers >= ? OR seq >= ?) AND covers <= ? AND seq <= ?';
const columns = 'p.covers, p.seq, s.headCrc, s.bodyCrc, s.head';
/** By the index alone, and then to each row: one that is not where the index says is seen, and not left out. */
const places = `SELECT id, covers, seq FROM snapshots INDEXED BY snapshots_place
  WHERE ${kept} AND covers <= ? AND (covers, seq) < (?, ?) ORDER BY covers DESC, seq DESC LIMIT ?`;
const range = `FROM (${places}) AS p LEFT JOIN snapshots AS s ON s.id = p.id ORDER BY p.covers DESC, p.seq DESC`;
const insert = `INSERT OR REPLACE INTO snapshots (id, run, covers, seq, headCrc, bodyCrc, head, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

interface SnapshotRow extends SnapshotKey {
  readonly headCrc: number;
  readonly bodyCrc: number;
  readonly head: string;
  readonly body: string | null;
}

/** A snapshot's place and its size. */
export interface SizedSnapshot extends SnapshotKey {
  readonly id: number;
  readonly bytes: number;
}

/** Which snapshots of a run, in SQL. */
export interface SnapshotCondition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** The snapshots of all runs. */
export class SnapshotTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Newest first. @throws HOLDFAST_CORRUPT when one is missing at the end of the list */
  read(known: KnownRun, query: Omit<SnapshotQuery, 'runId'>): readonly StoredSnapshot[] {
    const { covers = highest, before = { covers: highest, seq: highest }, limit, bodies } = query;
    const sql = `SELECT ${columns}, ${bodies ? 's.body' : 'NULL'} AS body ${range}`;
    const values = [...keptValues(known.row), covers, before.covers, before.seq, limit];
    const rows = this.#connection.all(sql, ...values) as SnapshotRow[];
    // A state can be folded from the journal without its snapshot; the checkpoint of a journal run cannot.
    if (rows.length < limit && (limit > 1 || known.row.kind === 1)) this.#checkCount(known);
    return rows.map(({ covers, seq, headCrc, bodyCrc, head, body }) => ({
      covers,
      seq,
      head: { text: textOf(head), crc: headCrc },
      body: body === null ? undefined : { text: textOf(body), crc: bodyCrc },
    }));
  }

  /** The id of the one with this key; undefined where there is none. */
  find(run: number, { covers, seq }: SnapshotKey): number | undefined {
    const sql = 'SELECT id FROM snapshots WHERE run = ? AND covers = ? AND seq = ?';
    return this.#connection.value(sql, run, covers, seq) as number | undefined;
  }

  /** Takes the place of one with the same key. */
  put(run: number, { covers, seq, head, body }: StoredSnapshot): void {
    const { text, crc } = body ?? { text: '', crc: 0 };
    const id = this.find(run, { covers, seq }) ?? null;
    this.#connection.run(insert, id, run, covers, seq, head.crc, crc, head.text, text);
  }

  remove({ id }: SizedSnapshot): void {
    this.#connection.run('DELETE FROM snapshots WHERE id = ?', id);
  }

  /** Those of the run that meet the condition, kept or waiting to be dropped. */
  sizes(run: number, { sql, values }: SnapshotCondition, limit: number): readonly SizedSnapshot[] {
    const select = `SELECT id, covers, seq, octet_length(head) + octet_length(body) AS bytes FROM snapshots
      WHERE run = ? AND (${sql}) LIMIT ?`;
    return this.#connection.all(select, run, ...values, limit) as SizedSnapshot[];
  }

  /** Whether one stands at this seq, however much it covers. Most cover nearly all, so the search is short. */
  standsAt(row: RunRow, seq: number): boolean {
    const sql = `SELECT 1 FROM snapshots WHERE ${kept} AND covers <= ? AND seq = ? ORDER BY covers DESC LIMIT 1`;
    return this.#connection.value(sql, ...keptValues(row), seq, seq) !== undefined;
  }

  covers(row: RunRow, covers: number): boolean {
    const sql = `SELECT 1 FROM snapshots WHERE ${kept} AND covers = ? LIMIT 1`;
    return this.#connection.value(sql, ...keptValues(row), covers) !== undefined;
  }

  /** Throws at the end of the list if a snapshot is missing. */
  #checkCount({ row: { key, run: runId }, head: { snaps } }: KnownRun): void {
    const sql = 'SELECT count(*) FROM snapshots INDEXED BY snapshots_place WHERE run = ?';
    const count = this.#connection.value(sql, key) as number;
    if (count !== snaps) throw corrupt({ table: 'snapshots', runId }, `there are ${count}, not ${snaps}`);
  }
}

function keptValues({ key, floor, top }: RunRow): readonly SqliteValue[] {
  return [key, floor, floor, top ?? highest, top ?? highest];
}

/** A text that corruption has made a blob has the right bytes and is none; an empty one does not match its checksum. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
