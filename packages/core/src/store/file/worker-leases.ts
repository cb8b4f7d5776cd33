import type { Env } from '../../env/env.ts';
import { openOnlyLine, sealLine } from '../../value/sealed-line.ts';
import { damaged } from './damage.ts';
import { pathInside } from './names.ts';
import { isMissing } from './system-error.ts';
import { placeFile } from './write-atomically.ts';
import { inDoubt, undone } from './write-fault.ts';

/** The file that says until when each worker lives. */
const workersFile = 'workers.json';

const workersPlace = 'workers ';

/** Until when each worker lives, by the store's clock; written whole with every change, since changes are seconds apart. */
export class WorkerLeases {
  readonly #env: Env;
  readonly #root: string;
  #until: ReadonlyMap<string, number>;

  private constructor(env: Env, root: string, until: ReadonlyMap<string, number>) {
    this.#env = env;
    this.#root = root;
    this.#until = until;
  }

  static async read(env: Env, root: string): Promise<WorkerLeases> {
    return new WorkerLeases(env, root, await readLeases(env, root));
  }

  lives(worker: string | null): boolean {
    return worker !== null && (this.#until.get(worker) ?? 0) > this.#env.clock.now();
  }

  async set(worker: string, until: number): Promise<void> {
    await this.#write(new Map(this.#living()).set(worker, until));
  }

  async remove(worker: string): Promise<void> {
    if (!this.#until.has(worker)) return;
    await this.#write(new Map(this.#living().filter(([name]) => name !== worker)));
  }

  #living(): readonly (readonly [string, number])[] {
    return [...this.#until].filter(([worker]) => this.lives(worker));
  }

  async #write(until: ReadonlyMap<string, number>): Promise<void> {
    const workers = [...until].map(([worker, ends]) => ({ worker, until: ends }));
    const bytes = Buffer.from(sealLine(workersPlace, JSON.stringify({ workers }).slice(0, -1)));
    const { files } = this.#env;
    await placeFile(files, pathInside(this.#root, workersFile), bytes).catch(async (cause: unknown) => {
      throw await undone(cause, async () => {});
    });
    // Whether the old leases or the new ones are there after a power cut is not known when this fails.
    await files.syncDirectory(this.#root).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
    this.#until = until;
  }
}

async function readLeases({ files }: Env, root: string): Promise<ReadonlyMap<string, number>> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(pathInside(root, workersFile));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
  const open = openOnlyLine(workersPlace, bytes);
  if (open === undefined) {
    throw damaged('it does not say which workers live; without it, all count as dead', { file: workersFile });
  }
  const { workers } = JSON.parse(`${open}}`) as { readonly workers: readonly { worker: string; until: number }[] };
  return new Map(workers.map(({ worker, until }) => [worker, until]));
}
