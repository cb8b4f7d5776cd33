import type { Env } from '../../env/env.ts';
import { openOnlyLine, sealLine } from '../../value/sealed-line.ts';
import { corrupt, inDoubt, isMissing, undone } from './errors.ts';
import { pathInside } from './folder/names.ts';
import { placeFile } from './folder/write-atomically.ts';

/** The file that says until when each worker lives, and when each duty was granted. */
export const leasesFile = 'leases.json';

const leasesPlace = 'leases ';

interface WorkerLease {
  readonly worker: string;
  /** When it ends, by the store's clock. */
  readonly until: number;
  readonly leaseMs: number;
}

interface Duty {
  readonly name: string;
  readonly grantedAt: number;
}

interface Leases {
  readonly workers: readonly WorkerLease[];
  readonly duties: readonly Duty[];
}

/** The leases of workers and their duties, by the store's clock. Written whole with every change. */
export class LeaseFile {
  readonly #env: Env;
  readonly #root: string;
  #leases: Leases;

  private constructor(env: Env, root: string, leases: Leases) {
    this.#env = env;
    this.#root = root;
    this.#leases = leases;
  }

  static async read(env: Env, root: string): Promise<LeaseFile> {
    return new LeaseFile(env, root, await readLeases(env, root));
  }

  lives(worker: string | null): boolean {
    const now = this.#env.clock.now();
    return worker !== null && this.#leases.workers.some((lease) => lease.worker === worker && lease.until > now);
  }

  /** Keeps the worker alive for this long from now. */
  async extend(worker: string, leaseMs: number): Promise<void> {
    const until = this.#env.clock.now() + leaseMs;
    await this.#write({ workers: [...this.#othersAlive(worker), { worker, until, leaseMs }] });
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
    const bytes = Buffer.from(sealLine(leasesPlace, JSON.stringify(leases).slice(0, -1)));
    const { files } = this.#env;
    await placeFile(files, pathInside(this.#root, leasesFile), bytes).catch(async (cause: unknown) => {
      throw await undone(cause, async () => {});
    });
    // If this fails, nobody knows which leases a power cut would leave.
    await files.syncDirectory(this.#root).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
    this.#leases = leases;
  }
}

async function readLeases({ files, clock }: Env, root: string): Promise<Leases> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(pathInside(root, leasesFile));
  } catch (error) {
    if (isMissing(error)) return { workers: [], duties: [] };
    throw error;
  }
  const open = openOnlyLine(leasesPlace, bytes);
  if (open === undefined) {
    const remedy = 'Remove it: all workers then count as dead.';
    throw corrupt('it does not say which workers are alive', { file: leasesFile }, remedy);
  }
  const { workers, duties } = JSON.parse(`${open}}`) as Leases;
  const latest = clock.now();
  // The clock may have been set back: no lease may last longer from now on than it was granted for.
  return {
    workers: workers.map((lease) => ({ ...lease, until: Math.min(lease.until, latest + lease.leaseMs) })),
    duties,
  };
}
