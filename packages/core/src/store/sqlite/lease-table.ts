import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import type { SqliteDatabase } from './database.ts';
import type { LeaseClock } from './lease-clock.ts';
import { addToSum, emptySum } from './row-sum.ts';

/** What is known of a worker that died is of no use, and kept this long only for a person who looks. */
const forgetAfterMs = 3_600_000;

/** A worker and when its lease ends, by the clock of that start of the machine. */
type Lease = readonly [worker: string, boot: string, until: number];

interface LeaseRow {
  readonly workers: string;
  readonly sum: number;
}

/** The leases of all workers in one row: there are few, and a row that is gone would let a run be taken from a living one. */
export class LeaseTable {
  readonly #connection: Connection;
  readonly #clock: LeaseClock;

  constructor(connection: Connection, clock: LeaseClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** The workers whose lease is valid. @throws HOLDFAST_CORRUPT */
  living(): ReadonlySet<string> {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const valid = this.#read().filter(([, of, until]) => of === boot && until > now);
    return new Set(valid.map(([worker]) => worker));
  }

  beat(worker: string, leaseMs: number): void {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const isKept = ([name, of, until]: Lease): boolean => name !== worker && of === boot && until > now - forgetAfterMs;
    this.#write([...this.#read().filter(isKept), [worker, boot, now + leaseMs]]);
  }

  remove(worker: string): void {
    this.#write(this.#read().filter(([name]) => name !== worker));
  }

  #read(): readonly Lease[] {
    const row = this.#connection.get('SELECT workers, sum FROM leases WHERE id = 1') as LeaseRow | undefined;
    if (row === undefined) throw corrupt({ table: 'leases' }, 'its row is missing');
    if (addToSum(emptySum, row.workers) !== row.sum) throw corrupt({ table: 'leases' }, 'its checksum does not match');
    return JSON.parse(row.workers) as Lease[];
  }

  #write(leases: readonly Lease[]): void {
    const workers = JSON.stringify(leases);
    this.#connection.run('UPDATE leases SET workers = ?, sum = ? WHERE id = 1', workers, addToSum(emptySum, workers));
  }
}

/** The row that a new database begins with. */
export function createLeases(database: SqliteDatabase): void {
  database.prepare('INSERT INTO leases (id, workers, sum) VALUES (1, ?, ?)').run('[]', addToSum(emptySum, '[]'));
}
