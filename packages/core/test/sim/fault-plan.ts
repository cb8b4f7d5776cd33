import type { ClaimRequest } from '../../src/store/contract/lease.ts';
import { type FaultKind, faultKinds } from './fault-kind.ts';
import type { SimProcess } from './sim-process.ts';
import type { Stats } from './stats.ts';
import type { World } from './world.ts';

interface FaultPlanOptions {
  readonly world: World;
  readonly stats: Stats;
  readonly leaseMs: number;
  /** No faults at all: what the others are compared with. */
  readonly calm?: boolean | undefined;
  readonly store: 'memory' | 'file';
}

const commitFaults: ReadonlySet<FaultKind> = new Set(
  faultKinds.filter((kind) => kind !== 'lost-claim' && kind !== 'failed-read'),
);
/** Two processes are never at the same files, and nothing is between a process and its files. */
const notOnFiles: ReadonlySet<FaultKind> = new Set(['pause', 'duplicate']);
const notInMemory: ReadonlySet<FaultKind> = new Set(['power-cut']);
/** There is a second worker on files only after the first has died. */
const deaths: readonly FaultKind[] = ['crash-before', 'crash-after', 'power-cut'];
/** Kinds that only a worker has: whoever asks and answers is a person with patience. */
const workerFaults: ReadonlySet<FaultKind> = new Set(['crash-before', 'crash-after', 'power-cut', 'pause', 'jump']);

/** Says what goes wrong when: drawn from the seed, until the world has calmed down. */
export class FaultPlan {
  readonly #options: FaultPlanOptions;
  readonly #kinds: readonly FaultKind[];
  readonly #rate: number;
  /** At this commit of a worker something happens in any case. */
  readonly #sureAt: number;
  readonly #calmAtMs: number;
  #commits = 0;

  constructor(options: FaultPlanOptions) {
    const { world, store } = options;
    const kinds = faultKinds.filter((kind) => !(store === 'file' ? notOnFiles : notInMemory).has(kind));
    this.#options = options;
    // Some seeds have a few kinds of faults often, others all of them.
    const some = kinds.filter(() => world.chance(0.5));
    this.#kinds = some.some((kind) => commitFaults.has(kind)) ? some : kinds;
    this.#rate = world.pick([0.03, 0.06, 0.12]);
    this.#sureAt = 2 + world.below(12);
    this.#calmAtMs = 1_500 + world.random() * 3_500;
  }

  get isCalm(): boolean {
    return this.#options.calm === true || this.#options.world.nowMs >= this.#calmAtMs;
  }

  onCommit(process: SimProcess): FaultKind | undefined {
    if (process.isPerson) return this.#draw(process, this.#rate);
    this.#commits += 1;
    return this.#commits === this.#sureAt ? this.#sure(process) : this.#draw(process, this.#rate);
  }

  #sure(process: SimProcess): FaultKind | undefined {
    const { world, store, calm } = this.#options;
    if (calm === true) return undefined;
    const kind = world.pick(store === 'file' ? deaths : this.#kinds.filter((each) => commitFaults.has(each)));
    this.#count(kind, process);
    return kind;
  }

  onClaim(process: SimProcess, { type }: ClaimRequest): boolean {
    if (this.isCalm || type === 'release' || !this.#kinds.includes('lost-claim')) return false;
    return this.#options.world.chance(this.#rate / 4) && this.#count('lost-claim', process);
  }

  onRead(process: SimProcess): boolean {
    if (this.isCalm || !this.#kinds.includes('failed-read')) return false;
    return this.#options.world.chance(this.#rate / 4) && this.#count('failed-read', process);
  }

  pauseMs(): number {
    const { world, leaseMs } = this.#options;
    return leaseMs * (0.8 + world.random() * 2);
  }

  jumpMs(): number {
    const { world } = this.#options;
    return (world.random() - 0.5) * world.pick([1_000, 10_000]);
  }

  #draw(process: SimProcess, rate: number): FaultKind | undefined {
    const { world } = this.#options;
    if (this.isCalm || !world.chance(rate)) return undefined;
    const possible = this.#kinds.filter(
      (kind) => commitFaults.has(kind) && !(process.isPerson && workerFaults.has(kind)),
    );
    if (possible.length === 0) return undefined;
    const kind = world.pick(possible);
    this.#count(kind, process);
    return kind;
  }

  #count(kind: FaultKind, { name }: SimProcess): true {
    this.#options.stats.faults[kind] += 1;
    this.#options.world.trace.add(`${kind} ${name}`);
    return true;
  }
}
