import { openIn } from '../../src/engine/open.ts';
import type { Entry } from '../../src/record/record.ts';
import type { StoreDriver } from '../../src/store/contract.ts';
import { MemoryDisk } from '../../src/store/memory/memory-disk.ts';
import { MemoryDriver } from '../../src/store/memory/memory-driver.ts';
import { defineStore } from '../../src/store/store.ts';
import { FaultPlan } from './fault-plan.ts';
import { Ledger } from './ledger.ts';
import { type Endings, judge } from './oracle.ts';
import { actAsPerson, type ChosenRun, isSatisfied, type PersonMemory } from './person.ts';
import { enterScene } from './scene.ts';
import { SimDriver } from './sim-driver.ts';
import { SimProcess } from './sim-process.ts';
import { newStats, type Stats } from './stats.ts';
import { codeOfWorkers, workloads } from './workloads.ts';
import { type Owner, World } from './world.ts';

export interface SimOptions {
  readonly seed: number;
  readonly runs: readonly ChosenRun[];
  /** Without faults. */
  readonly calm?: boolean | undefined;
}

export interface SimResult {
  readonly trace: string;
  readonly stats: Stats;
  readonly endings: Endings;
  readonly violations: readonly string[];
  readonly journals: ReadonlyMap<string, readonly Entry[]>;
  readonly virtualMs: number;
  readonly events: number;
}

const leaseMs = 900;
const limits = { untilMs: 180_000, events: 150_000 };

/** One world with its workers, its people and its faults, until all runs have ended. */
class Simulation {
  readonly #options: SimOptions;
  readonly #world: World;
  readonly #ledger = new Ledger();
  readonly #stats = newStats();
  readonly #plan: FaultPlan;
  readonly #disk = new MemoryDisk();
  readonly #keeper: SimProcess;
  readonly #supervisor: Owner = { name: 'init', isDead: false, pausedUntilMs: 0 };
  readonly #processes: SimProcess[] = [];
  readonly #memory: PersonMemory = { done: new Set(), read: [] };

  constructor(options: SimOptions) {
    this.#options = options;
    this.#world = new World(options.seed);
    this.#plan = new FaultPlan({ world: this.#world, stats: this.#stats, leaseMs, calm: options.calm });
    this.#keeper = new SimProcess({ world: this.#world, name: 'store', skewMs: 0 });
    enterScene({ world: this.#world, ledger: this.#ledger, mended: new Set(), namesByOrder: false });
  }

  async run(): Promise<SimResult> {
    const world = this.#world;
    const { runs } = this.#options;
    const workers = 2 + world.below(2);
    for (let count = 0; count < workers; count += 1) this.#startWorker();
    this.#startPerson();
    const isOver = (): boolean => isSatisfied(runs, this.#memory) && this.#ledger.allEnded;
    const ended = await world.run(isOver, limits);
    for (const process of this.#processes) {
      process.onDeath = () => {};
      process.die();
    }
    const violations = [...this.#ledger.violations, ...this.#stats.violations];
    if (!ended) violations.push(`not all runs have ended: ${await this.#unfinished()}`);
    const verdict = await judge({
      raw: this.#raw(),
      env: this.#keeper.env,
      ledger: this.#ledger,
      memory: this.#memory,
      runs: ended ? runs : [],
    });
    violations.push(...verdict.violations);
    return {
      trace: String(world.trace),
      stats: this.#stats,
      endings: verdict.endings,
      violations,
      journals: verdict.journals,
      virtualMs: world.nowMs,
      events: world.events,
    };
  }

  async #unfinished(): Promise<string> {
    const open = await this.#raw().runs({
      status: ['pending', 'running', 'waiting', 'failed'],
      order: 'oldest',
      limit: 9,
    });
    const told = open.map(
      ({ run, status, waits, wakeAt, worker, claims }) =>
        `${run} ${status} [${waits.map(({ kind, name }) => `${kind} ${name}`).join()}] wake ${wakeAt} of ${worker} claims ${claims}`,
    );
    return `${told.join('; ')}; satisfied: ${isSatisfied(this.#options.runs, this.#memory)}`;
  }

  #raw(): StoreDriver {
    return new MemoryDriver(this.#disk, this.#keeper.env);
  }

  #driver(process: SimProcess): StoreDriver {
    return new SimDriver({
      world: this.#world,
      process,
      inside: this.#raw(),
      plan: this.#plan,
      ledger: this.#ledger,
      stats: this.#stats,
    });
  }

  #startWorker(): void {
    const world = this.#world;
    this.#stats.workers += 1;
    const skewMs = this.#options.calm === true ? 0 : (world.random() - 0.5) * world.pick([0, 200, 4_000]);
    const process = new SimProcess({ world, name: `w${this.#stats.workers}`, skewMs });
    process.onDeath = () => world.after(this.#supervisor, 20 + world.random() * 1_500, () => this.#startWorker());
    this.#processes.push(process);
    world.after(process, world.random() * 50, () => void this.#work(process));
  }

  async #work(process: SimProcess): Promise<void> {
    const store = defineStore(async () => this.#driver(process));
    const engine = await openIn(process.env, store, { graphs: codeOfWorkers, leaseMs, workerId: process.name });
    await engine.work({ concurrency: 4, signal: new AbortController().signal });
  }

  #startPerson(): void {
    const process = new SimProcess({ world: this.#world, name: 'person', skewMs: 0, isPerson: true });
    this.#processes.push(process);
    this.#world.after(process, 0, () => void this.#person(process));
  }

  async #person(process: SimProcess): Promise<void> {
    const store = defineStore(async () => this.#driver(process));
    const engine = await openIn(process.env, store, {
      graphs: codeOfWorkers,
      executes: false,
      leaseMs,
      workerId: 'person',
    });
    actAsPerson({ engine, process, runs: this.#options.runs, memory: this.#memory, raw: this.#raw() });
  }
}

/** Simulates a world. */
export function simulate(options: SimOptions): Promise<SimResult> {
  return new Simulation(options).run();
}

const expected = new Map<string, Endings>();

/** How a run and its children end when nothing goes wrong. */
export async function calmEndings(run: ChosenRun): Promise<Endings> {
  let endings = expected.get(run.id);
  if (endings === undefined) {
    const result = await simulate({ seed: 1, runs: [run], calm: true });
    if (result.violations.length > 0) throw new Error(`without faults ${run.id}: ${result.violations.join('; ')}`);
    endings = result.endings;
    expected.set(run.id, endings);
  }
  return endings;
}

/** Some runs, no two the same. */
export function chooseRuns(world: World): readonly ChosenRun[] {
  const chosen = new Map<string, ChosenRun>();
  const count = 3 + world.below(2);
  while (chosen.size < count) {
    const workload = world.pick(workloads);
    const variant = world.below(workload.variants);
    const id = `${workload.name}-${variant}`;
    chosen.set(id, { id, workload, variant });
  }
  return [...chosen.values()];
}
