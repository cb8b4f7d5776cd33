import type { Env } from '../../env/env.ts';
import { openOnlyLine, sealLine } from '../../value/sealed-line.ts';
import { corrupt } from './errors.ts';
import { pathInside } from './folder/names.ts';
import { isMissing } from './errors.ts';
import { placeFile } from './folder/write-atomically.ts';
import { inDoubt, undone } from './errors.ts';

/** The file that says until when each worker lives. */
const workersFile = 'workers.json';

const workersPlace = 'workers ';

interface Lease {
  readonly worker: string;
  /** When it ends, by the store's clock. */
  readonly until: number;
  /** How long it was when it was given; earlier versions did not write it. */
  readonly leaseMs?: number | undefined;
}

type Leases = ReadonlyMap<string, Lease>;

/** Until when each worker lives, by the store's clock; written whole with every change, since changes are seconds apart. */
export class WorkerLeases {
  readonly #env: Env;
  readonly #root: string;
  #leases: Leases;

  private constructor(env: Env, root: string, leases: Leases) {
    this.#env = env;
    this.#root = root;
    this.#leases = leases;
  }

  static async read(env: Env, root: string): Promise<WorkerLeases> {
    return new WorkerLeases(env, root, await readLeases(env, root));
  }

  lives(worker: string | null): boolean {
    return worker !== null && (this.#leases.get(worker)?.until ?? 0) > this.#env.clock.now();
  }

  /** Gives the worker a lease from now on. */
  async set(worker: string, leaseMs: number): Promise<void> {
    const until = this.#env.clock.now() + leaseMs;
    await this.#write([...this.#living().filter((lease) => lease.worker !== worker), { worker, until, leaseMs }]);
  }

  async remove(worker: string): Promise<void> {
    if (!this.#leases.has(worker)) return;
    await this.#write(this.#living().filter((lease) => lease.worker !== worker));
  }

  #living(): readonly Lease[] {
    return [...this.#leases.values()].filter(({ worker }) => this.lives(worker));
  }

  async #write(workers: readonly Lease[]): Promise<void> {
    const bytes = Buffer.from(sealLine(workersPlace, JSON.stringify({ workers }).slice(0, -1)));
    const { files } = this.#env;
    await placeFile(files, pathInside(this.#root, workersFile), bytes).catch(async (cause: unknown) => {
      throw await undone(cause, async () => {});
    });
    // Whether the old leases or the new ones are there after a power cut is not known when this fails.
    await files.syncDirectory(this.#root).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
    this.#leases = byWorker(workers);
  }
}

async function readLeases({ files, clock }: Env, root: string): Promise<Leases> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(pathInside(root, workersFile));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
  const open = openOnlyLine(workersPlace, bytes);
  if (open === undefined) {
    const remedy = 'Remove it: all workers count as dead then.';
    throw corrupt('it does not say which workers live', { file: workersFile }, remedy);
  }
  const { workers } = JSON.parse(`${open}}`) as { readonly workers: readonly Lease[] };
  return byWorker(workers.map((lease) => fromNowOn(lease, clock.now())));
}

/** No lease lasts longer from now on than it was given for: the clock may have been set back since. */
function fromNowOn(lease: Lease, now: number): Lease {
  return { ...lease, until: Math.min(lease.until, now + (lease.leaseMs ?? Number.POSITIVE_INFINITY)) };
}

function byWorker(leases: readonly Lease[]): Leases {
  return new Map(leases.map((lease) => [lease.worker, lease]));
}
