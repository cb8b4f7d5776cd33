import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { corrupt } from '../errors.ts';
import type { LeaseClock } from './lease-clock.ts';

/** What is known of a worker that died is of no use, and kept this long only for a person who looks. */
const forgetAfterMs = 3_600_000;

/** A worker and when its lease ends, by the clock of that start of the machine. */
type Lease = readonly [worker: string, boot: string, until: number];

interface LeaseRow {
  readonly workers: string;
  readonly releases: number;
  readonly sum: number;
}

/** The leases of all workers in one row: there are few, and a row that is gone would let a run of a living worker be leased. */
export class LeaseTable {
  readonly #connection: Connection;
  readonly #clock: LeaseClock;

  constructor(connection: Connection, clock: LeaseClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** The workers whose lease is valid, and for how many milliseconds it still is. @throws HOLDFAST_CORRUPT */
  living(): ReadonlyMap<string, number> {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const valid = this.#read().leases.filter(([, of, until]) => of === boot && until > now);
    return new Map(valid.map(([worker, , until]) => [worker, until - now]));
  }

  beat(worker: string, leaseMs: number): void {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const isKept = ([name, of, until]: Lease): boolean => name !== worker && of === boot && until > now - forgetAfterMs;
    const { leases, releases } = this.#read();
    this.#write([...leases.filter(isKept), [worker, boot, now + leaseMs]], releases);
  }

  /** Some runs were released, and with `worker` that one's lease. Others look at the count to see that runs are free. */
  released(worker?: string): void {
    const { leases, releases } = this.#read();
    this.#write(
      leases.filter(([name]) => name !== worker),
      releases + 1,
    );
  }

  #read(): { readonly leases: readonly Lease[]; readonly releases: number } {
    const sql = 'SELECT workers, releases, sum FROM leases WHERE id = 1';
    const row = this.#connection.get(sql) as LeaseRow | undefined;
    if (row === undefined) throw corrupt({ table: 'leases' }, 'its row is missing');
    if (sumOfLeases(row) !== row.sum) throw corrupt({ table: 'leases' }, 'its checksum does not match');
    return { leases: JSON.parse(row.workers) as Lease[], releases: row.releases };
  }

  #write(leases: readonly Lease[], releases: number): void {
    const workers = JSON.stringify(leases);
    const sql = 'UPDATE leases SET workers = ?, releases = ?, sum = ? WHERE id = 1';
    this.#connection.run(sql, workers, releases, sumOfLeases({ workers, releases }));
  }
}

/** The checksum of the row. */
export function sumOfLeases({ workers, releases }: Omit<LeaseRow, 'sum'>): number {
  return addToSum(addToSum(emptySum, workers), releases);
}

/** The row that a new database begins with. */
export function createLeases(database: SqliteDatabase): void {
  const row = { workers: '[]', releases: 0 };
  const sql = 'INSERT INTO leases (id, workers, releases, sum) VALUES (1, ?, ?, ?)';
  database.prepare(sql).run(row.workers, row.releases, sumOfLeases(row));
}
