import { isText, isTime, listOf, nullable, type Shape } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt } from '../../table/corrupt.ts';
import type { WorkerProcesses } from '../../worker-processes.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import type { LeaseClock } from './lease-clock.ts';

/** What is known of a worker that died is of no use, and kept this long only for a person who looks. */
const forgetAfterMs = 3_600_000;

/** A worker, when its lease ends by the clock of that start of the machine, and its process. */
type Lease = readonly [worker: string, boot: string, until: number, process: string | null];

const isLease: Shape = (value) => {
  const [worker, boot, until, process] = Array.isArray(value) ? (value as unknown[]) : [];
  return isText(worker) && isText(boot) && isTime(until) && nullable(isText)(process);
};

/** What is known of the workers whose leases are valid. */
export interface KnownWorkers {
  /** For how many milliseconds the lease of each living worker is valid. */
  readonly living: ReadonlyMap<string, number>;
  /** Those whose process has died. */
  readonly dead: ReadonlySet<string>;
}

interface LeaseRow {
  readonly workers: string;
  readonly releases: number;
  readonly sum: number;
}

/** The leases of all workers in one row: there are few, and a row that is gone would let a run of a living worker be leased. */
export class LeaseTable {
  readonly #connection: Connection;
  readonly #clock: LeaseClock;
  readonly #processes: WorkerProcesses;

  constructor(connection: Connection, clock: LeaseClock, processes: WorkerProcesses) {
    this.#connection = connection;
    this.#clock = clock;
    this.#processes = processes;
  }

  /** The workers whose lease is valid: those that live, and those whose process has died. @throws HOLDFAST_CORRUPT */
  workers(): KnownWorkers {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const living = new Map<string, number>();
    const dead = new Set<string>();
    for (const [worker, of, until, process] of this.#read().leases) {
      if (of !== boot || until <= now) continue;
      if (this.#processes.isDead(process)) dead.add(worker);
      else living.set(worker, until - now);
    }
    return { living, dead };
  }

  beat(worker: string, leaseMs: number): void {
    const { boot } = this.#clock;
    const now = this.#clock.now();
    const isKept = ([name, of, until]: Lease): boolean => name !== worker && of === boot && until > now - forgetAfterMs;
    const { leases, releases } = this.#read();
    this.#write([...leases.filter(isKept), [worker, boot, now + leaseMs, this.#processes.own]], releases);
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
    const leases = storedJson(row.workers, listOf(isLease)) as readonly Lease[] | undefined;
    if (leases === undefined) throw corrupt({ table: 'leases' }, 'it has no valid list of workers');
    return { leases, releases: row.releases };
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
