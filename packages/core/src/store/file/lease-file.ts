import type { Env } from '../../env/env.ts';
import { isText, isTime, listOf, nullable, objectOf } from '../../value/data-shape.ts';
import type { WorkerProcesses } from '../worker-processes.ts';
import { SealedFile } from './folder/sealed-file.ts';

/** The file that says until when each worker lives, and when each duty was granted. */
export const leasesFile = 'leases.json';

interface WorkerLease {
  readonly worker: string;
  /** When it ends, by the store's clock. */
  readonly until: number;
  readonly leaseMs: number;
  /** Its process; null where it could not be told apart from others. */
  readonly process: string | null;
}

interface Duty {
  readonly name: string;
  readonly grantedAt: number;
}

interface Leases {
  readonly workers: readonly WorkerLease[];
  readonly duties: readonly Duty[];
}

const isLeases = objectOf({
  workers: listOf(objectOf({ worker: isText, until: isTime, leaseMs: isTime, process: nullable(isText) })),
  duties: listOf(objectOf({ name: isText, grantedAt: isTime })),
});

/** The leases of workers and their duties, by the store's clock. */
export class LeaseFile {
  readonly #env: Env;
  readonly #file: SealedFile<Leases>;
  readonly #processes: WorkerProcesses;
  #leases: Leases = { workers: [], duties: [] };
  /** Workers of processes that had died when the store was opened. Since then, only this process has had it open. */
  #dead: ReadonlySet<string> = new Set();

  private constructor(env: Env, root: string, processes: WorkerProcesses) {
    this.#env = env;
    this.#processes = processes;
    const remedy = 'Remove it: all workers then count as dead.';
    this.#file = new SealedFile({ files: env.files, root, name: leasesFile, remedy, fits: isLeases });
  }

  /** @throws HOLDFAST_CORRUPT */
  static async read(env: Env, root: string, processes: WorkerProcesses): Promise<LeaseFile> {
    const leases = new LeaseFile(env, root, processes);
    const { workers, duties } = (await leases.#file.read()) ?? leases.#leases;
    const now = env.clock.now();
    // The clock may have been set back: no lease may last longer from now on than it was granted for.
    const shortened = workers.map((lease) => ({ ...lease, until: Math.min(lease.until, now + lease.leaseMs) }));
    leases.#leases = { workers: shortened, duties };
    const dead = workers.filter(({ process, until }) => until > now && processes.isDead(process));
    leases.#dead = new Set(dead.map(({ worker }) => worker));
    return leases;
  }

  /** Whether it can know that the process of a worker has died. */
  get noticesDeath(): boolean {
    return this.#processes.own !== null;
  }

  /** Whether the worker was known to be dead before its lease ended. */
  isKnownDead(worker: string): boolean {
    return this.#dead.has(worker);
  }

  lives(worker: string | null): boolean {
    return this.endOf(worker) > this.#env.clock.now() && !this.#dead.has(worker ?? '');
  }

  /** When the worker's lease ends, or ended. */
  endOf(worker: string | null): number {
    const lease = this.#leases.workers.find((each) => each.worker === worker);
    return lease?.until ?? Number.NEGATIVE_INFINITY;
  }

  /** Keeps the worker alive for this long from now. */
  async extend(worker: string, leaseMs: number): Promise<void> {
    const until = this.#env.clock.now() + leaseMs;
    const process = this.#processes.own;
    await this.#write({ workers: [...this.#othersAlive(worker), { worker, until, leaseMs, process }] });
  }

  async remove(worker: string): Promise<void> {
    if (!this.#leases.workers.some((lease) => lease.worker === worker)) return;
    await this.#write({ workers: this.#othersAlive(worker) });
  }

  /** Grants the duty unless it was granted within this time. */
  async grant(name: string, everyMs: number): Promise<boolean> {
    const now = this.#env.clock.now();
    const { duties } = this.#leases;
    const before = duties.find((duty) => duty.name === name)?.grantedAt;
    if (before !== undefined && before > now - everyMs && before <= now) return false;
    await this.#write({ duties: [...duties.filter((duty) => duty.name !== name), { name, grantedAt: now }] });
    return true;
  }

  #othersAlive(worker: string): readonly WorkerLease[] {
    return this.#leases.workers.filter((lease) => lease.worker !== worker && this.lives(lease.worker));
  }

  async #write(change: Partial<Leases>): Promise<void> {
    const leases = { ...this.#leases, ...change };
    await this.#file.write(leases);
    this.#leases = leases;
  }
}
