import { type FaultKind, faultKinds } from './fault-kind.ts';
import type { Setting } from './setting.ts';
import type { SimProcess } from './sim-process.ts';
import type { Stats } from './stats.ts';
import type { World } from './world.ts';

interface FaultPlanOptions {
  readonly world: World;
  readonly stats: Stats;
  readonly leaseMs: number;
  /** No faults at all: what the others are compared with. */
  readonly calm?: boolean | undefined;
  readonly setting: Setting;
}

const commitFaults: ReadonlySet<FaultKind> = new Set([
  'crash-before',
  'crash-after',
  'power-cut',
  'pause',
  'jump',
  'lost-answer',
  'lost-request',
  'failed-request',
  'late-commit',
  'duplicate',
]);
/** Two processes are never at the same files, and nothing is between a process and its files. */
const notOnFiles: ReadonlySet<FaultKind> = new Set(['pause', 'late-commit', 'duplicate', 'outage']);
const onlyOnFiles: ReadonlySet<FaultKind> = new Set(['power-cut']);
/** Where one process is alone there is a second only after the first has died. */
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
  /** From then on nothing goes wrong. */
  readonly calmAtMs: number;
  readonly #outage: { readonly fromMs: number; readonly untilMs: number } | undefined;
  /** Of reads and claims. A fleet makes many of them; an embedded engine only when something is to be done. */
  readonly #readRate: number;
  #commits = 0;

  constructor(options: FaultPlanOptions) {
    const { world, setting, leaseMs, calm } = options;
    const without = setting === 'file' ? notOnFiles : onlyOnFiles;
    const kinds = faultKinds.filter((kind) => !without.has(kind));
    this.#options = options;
    // Some seeds have a few kinds of faults often, others all of them.
    const some = kinds.filter(() => world.chance(0.5));
    this.#kinds = some.some((kind) => commitFaults.has(kind)) ? some : kinds;
    this.#rate = world.pick([0.03, 0.06, 0.12]);
    this.#readRate = setting === 'embedded' ? this.#rate : this.#rate / 4;
    // Where one process is alone and commits for all runs together, there may be few commits.
    this.#sureAt = 2 + world.below(setting === 'fleet' ? 12 : 8);
    this.calmAtMs = 1_500 + world.random() * 3_500;
    const fromMs = 200 + world.random() * 1_500;
    const hasOutage = calm !== true && this.#kinds.includes('outage') && world.chance(0.5);
    this.#outage = hasOutage ? { fromMs, untilMs: fromMs + leaseMs * (1.1 + world.random() * 2) } : undefined;
  }

  get isCalm(): boolean {
    return this.#options.calm === true || this.#options.world.nowMs >= this.calmAtMs;
  }

  onCommit(process: SimProcess): FaultKind | undefined {
    if (process.isPerson) return this.#draw(process, this.#rate);
    this.#commits += 1;
    return this.#commits === this.#sureAt ? this.#sure(process) : this.#draw(process, this.#rate);
  }

  #sure(process: SimProcess): FaultKind | undefined {
    const { world, setting, calm } = this.#options;
    if (calm === true) return undefined;
    const isAlone = setting !== 'fleet';
    const kinds = isAlone ? deaths : this.#kinds.filter((each) => commitFaults.has(each));
    const kind = world.pick(setting === 'file' ? kinds : kinds.filter((each) => !onlyOnFiles.has(each)));
    this.#count(kind, process);
    return kind;
  }

  /** Fails before or after the store has answered. */
  onDoubt(process: SimProcess): 'before' | 'after' | undefined {
    const { world } = this.#options;
    if (!this.#happens('failed-doubt', this.#rate * 2, process)) return undefined;
    return world.chance(0.5) ? 'before' : 'after';
  }

  onClaim(process: SimProcess): 'lost-claim' | 'failed-claim' | undefined {
    if (this.#happens('lost-claim', this.#readRate, process)) return 'lost-claim';
    return this.#happens('failed-claim', this.#readRate, process) ? 'failed-claim' : undefined;
  }

  onRead(process: SimProcess): boolean {
    return this.#happens('failed-read', this.#readRate, process);
  }

  /** Whether a failure says that it may succeed if it is tried again. */
  isTransient(kind: FaultKind, process: SimProcess): boolean {
    if (kind === 'outage') return true;
    if (!this.#kinds.includes('transient') || !this.#options.world.chance(0.5)) return false;
    return this.#count('transient', process);
  }

  /** Whether nobody reaches the store now; this process has tried to. */
  isOut(process: SimProcess): boolean {
    const { nowMs } = this.#options.world;
    if (this.#outage === undefined || nowMs < this.#outage.fromMs || nowMs >= this.#outage.untilMs) return false;
    if (this.#options.stats.faults.outage === 0) this.#count('outage', process);
    return true;
  }

  /** When the outage ends, or ended. */
  get outUntilMs(): number | undefined {
    return this.#outage?.untilMs;
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

  #happens(kind: FaultKind, rate: number, process: SimProcess): boolean {
    if (this.isCalm || !this.#kinds.includes(kind) || !this.#options.world.chance(rate)) return false;
    return this.#count(kind, process);
  }

  #count(kind: FaultKind, { name }: SimProcess): true {
    this.#options.stats.faults[kind] += 1;
    this.#options.world.trace.add(`${kind} ${name}`);
    return true;
  }
}
