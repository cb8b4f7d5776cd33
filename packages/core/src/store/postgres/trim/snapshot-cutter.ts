import type { SnapshotKey } from '../../contract/commit.ts';
import type { TrimPlan } from '../../contract/retention.ts';
import type { Session } from '../connection/database.ts';
import type { KnownRun, RunRow } from '../run/run-row.ts';
import { isKept } from '../run/snapshots.ts';

const highest = Number.MAX_SAFE_INTEGER;

/** A snapshot's place and its size. */
export interface SizedSnapshot extends SnapshotKey {
  readonly bytes: number;
}

/** Which snapshots `s` of a run, in SQL. `value` makes a parameter of a value. */
export type SnapshotCondition = (value: (value: unknown, type: string) => string) => string;

const size = 'octet_length(s.head) + octet_length(s.body)';

/** Finds and drops snapshots of one run, in the transaction that is open. */
export class SnapshotCutter {
  readonly #session: Session;
  readonly #key: string;

  constructor(session: Session, { row }: KnownRun) {
    this.#session = session;
    this.#key = row.key;
  }

  /** Those that meet the condition, kept or waiting to be dropped. */
  find(condition: SnapshotCondition): Promise<readonly SizedSnapshot[]> {
    return this.#sizes(condition, (where) => `SELECT s.covers, s.seq, ${size} FROM @snapshots s WHERE ${where}`);
  }

  /** Drops at most so many of them. */
  drop(condition: SnapshotCondition, limit: number = highest): Promise<readonly SizedSnapshot[]> {
    return this.#sizes(
      condition,
      (where, value) => `DELETE FROM @snapshots s WHERE (s.key, s.covers, s.seq) IN
        (SELECT s.key, s.covers, s.seq FROM @snapshots s WHERE ${where} LIMIT ${value(limit, 'bigint')})
        RETURNING s.covers, s.seq, ${size}`,
    );
  }

  /** Whether a kept one covers exactly this. */
  async covers(covers: number): Promise<boolean> {
    const sql = `SELECT 1 FROM @runs r JOIN @snapshots s ON s.key = r.key
      WHERE r.key = $1::bigint AND ${isKept} AND s.covers = $2::bigint LIMIT 1`;
    return (await this.#session.rows(sql, [this.#key, covers])).length > 0;
  }

  async #sizes(
    condition: SnapshotCondition,
    statement: (where: string, value: (value: unknown, type: string) => string) => string,
  ): Promise<readonly SizedSnapshot[]> {
    const values: unknown[] = [];
    const value = (given: unknown, type: string): string => {
      values.push(given);
      return `$${values.length}::${type}`;
    };
    const sql = statement(`s.key = ${value(this.#key, 'bigint')} AND (${condition(value)})`, value);
    const rows = await this.#session.rows(sql, values);
    return rows.map(([covers, seq, bytes]) => ({ covers: Number(covers), seq: Number(seq), bytes: Number(bytes) }));
  }
}

/** The snapshots that go with a plan. */
export function goesWith({ floor = 0, hide, drop = [], remove }: TrimPlan): SnapshotCondition {
  if (remove === true) return () => 'TRUE';
  const top = hide?.keepTo ?? highest;
  return (value) => {
    const [covers, seqs] = [drop.map((key) => key.covers), drop.map((key) => key.seq)];
    const dropped = `(s.covers, s.seq) IN (SELECT * FROM unnest(${value(covers, 'bigint[]')}, ${value(seqs, 'bigint[]')}))`;
    const above = value(top, 'bigint');
    return `s.covers < ${value(floor, 'bigint')} OR s.covers > ${above} OR s.seq > ${above} OR ${dropped}`;
  };
}

/** The snapshots of a run that no reader is given. */
export function isUnseen({ floor, top }: RunRow): SnapshotCondition {
  return (value) => {
    const [low, high] = [value(floor, 'bigint'), value(top ?? highest, 'bigint')];
    return `(s.covers < ${low} AND s.seq < ${low}) OR s.covers > ${high} OR s.seq > ${high}`;
  };
}
