import type { Engine } from '../../src/engine/engine.ts';
import { openEngineIn } from '../../src/engine/open.ts';
import type { Entry } from '../../src/record/record.ts';
import { loadRun } from '../../src/runner/load-run.ts';
import { CheckedStore } from '../../src/store/checked-store.ts';
import { openRecord } from '../../src/store/commit/encode.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import { MemoryDriver } from '../../src/store/memory/driver.ts';
import { MemoryPlace } from '../../src/store/memory/memory-place.ts';
import { defineStore } from '../../src/store/store.ts';
import { Deploys } from './deploys.ts';
import { DiaryMemory } from './diary.ts';
import { FaultPlan } from './fault-plan.ts';
import { FilePlace } from './file-place.ts';
import { LateCommits } from './late-commits.ts';
import { Ledger } from './ledger.ts';
import type { Mutant } from './mutant.ts';
import { mutated } from './mutants.ts';
import { type Endings, judge } from './oracle.ts';
import { actAsPerson, type ChosenRun, type PersonMemory } from './person.ts';
import { enterScene } from './scene.ts';
import type { Setting } from './setting.ts';
import { workInShifts } from './shifts.ts';
import { SimDriver } from './sim-driver.ts';
import { SimProcess } from './sim-process.ts';
import { newStats, type Stats } from './stats.ts';
import { unfinished } from './unfinished.ts';
import { upgradedOld } from './upgraded.ts';
import { type Owner, World } from './world.ts';

export interface SimOptions {
  readonly seed: number;
  readonly runs: readonly ChosenRun[];
  /** Default: a fleet. */
  readonly setting?: Setting | undefined;
  /** Without faults. */
  readonly calm?: boolean | undefined;
  readonly mutant?: Mutant | undefined;
}

/** What came of a simulation. */
export interface SimResult {
  readonly trace: string;
  readonly stats: Stats;
  readonly endings: Endings;
  readonly violations: readonly string[];
  readonly journals: ReadonlyMap<string, readonly Entry[]>;
  /** A run was failed because whoever executed it died again and again: its ending depends on that. */
  readonly hasCrashLoop: boolean;
  readonly virtualMs: number;
  readonly events: number;
}

const leaseMs = 900;
/** More than any simulation needs: parents that nobody has woken are looked for every 30 s. */
const limits = { untilMs: 120_000, events: 100_000 };

/** One world with its workers, its people and its faults, until all runs have ended. */
class Simulation {
  readonly #options: SimOptions;
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #late: LateCommits;
  readonly #setting: Setting;
  readonly #stats = newStats();
  readonly #plan: FaultPlan;
  readonly #deploys: Deploys;
  /** Whether somebody prunes all runs meanwhile. */
  readonly #prunes: boolean;
  readonly #disk = new MemoryPlace();
  readonly #file: FilePlace | undefined;
  /** The database server: its clock is right, and it does not fail. */
  readonly #keeper: SimProcess;
  readonly #unpatch: (() => void) | undefined;
  readonly #supervisor: Owner = { name: 'init', isDead: false, pausedUntilMs: 0 };
  readonly #processes: SimProcess[] = [];
  /** Whether a worker has its engine open, and none that died since is still to be replaced. */
  #isOpen = false;
  readonly #memory: PersonMemory = {
    done: new Set(),
    finished: new Set(),
    read: [],
    answered: [],
    diary: new DiaryMemory(),
  };

  constructor(options: SimOptions) {
    const { seed, setting = 'fleet', calm, mutant } = options;
    this.#options = options;
    this.#setting = setting;
    this.#world = new World(seed);
    this.#world.processes.mistake = mutant?.mistakesProcesses;
    this.#late = new LateCommits(this.#world);
    this.#plan = new FaultPlan({ world: this.#world, stats: this.#stats, leaseMs, setting, calm });
    this.#ledger = new Ledger({ time: this.#world, leaseMs, calmAtMs: this.#plan.calmAtMs });
    this.#deploys = new Deploys({
      world: this.#world,
      isWanted: calm !== true && options.runs.some(({ workload }) => workload.name === upgradedOld.name),
      calmAtMs: this.#plan.calmAtMs,
    });
    this.#prunes = calm !== true && this.#world.chance(0.25);
    this.#keeper = new SimProcess({ world: this.#world, name: 'store', skewMs: 0 });
    if (setting === 'file') this.#file = new FilePlace(this.#world);
    const namesByOrder = mutant?.namesByOrder ?? false;
    this.#unpatch = mutant?.patch?.();
    const keepsLateAnswers = mutant?.keepsLateAnswers ?? false;
    enterScene({ world: this.#world, ledger: this.#ledger, mended: new Set(), namesByOrder, keepsLateAnswers });
  }

  async run(): Promise<SimResult> {
    const world = this.#world;
    const { runs } = this.#options;
    const workers = this.#setting === 'fleet' ? 2 + world.below(2) : 1;
    for (let count = 0; count < workers; count += 1) this.#startWorker();
    if (this.#setting === 'fleet') this.#startPerson();
    const { finished, diary } = this.#memory;
    // A process that is alone and died with its last commit is followed by one that finds nothing left to do.
    const isUp = (): boolean => this.#setting === 'fleet' || this.#isOpen;
    const isOver = (): boolean => isUp() && finished.size === runs.length && diary.isComplete && this.#ledger.allEnded;
    const ended = await world.run(isOver, limits);
    this.#endAll();
    await this.#late.settle();
    const raw = await this.#raw(this.#keeper);
    const violations = [...this.#ledger.violations, ...this.#stats.violations];
    if (!ended) violations.push(`not all runs have ended: ${await this.#unfinished(raw)}`);
    const verdict = await judge({
      raw,
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
      hasCrashLoop: this.#ledger.hasCrashLoop,
      virtualMs: world.nowMs,
      events: world.events,
    };
  }

  async #unfinished(raw: StoreDriver): Promise<string> {
    const { finished, done, diary } = this.#memory;
    const left = this.#options.runs
      .filter(({ id }) => !finished.has(id))
      .map(({ id }) => `somebody still acts on ${id}`);
    const acts = left.length === 0 ? [] : [`done: ${[...done].join(', ')}`];
    const open = [...this.#ledger.open].map((runId) => `${runId} has not ended in the ledger`);
    return [await unfinished(raw), ...left, ...acts, ...open, ...(diary.isComplete ? [] : ['the diary is kept'])].join(
      '; ',
    );
  }

  #endAll(): void {
    this.#unpatch?.();
    for (const process of this.#processes) {
      process.onDeath = () => {};
      process.die();
    }
  }

  async #raw(process: SimProcess): Promise<StoreDriver> {
    if (this.#file !== undefined) return this.#file.open(process.env);
    const isLocal = this.#options.mutant?.hasLocalLeases === true;
    // It never yields in the middle of a commit, so that the ledger hears of it when it is made.
    const { machine } = process.env;
    const env = { ...(isLocal ? process.env : this.#keeper.env), monotonicMs: () => 0, machine };
    return new MemoryDriver(this.#disk, env);
  }

  async #open(process: SimProcess, executes: boolean): Promise<{ readonly engine: Engine; readonly raw: StoreDriver }> {
    const world = this.#world;
    const { mutant } = this.#options;
    const raw = await this.#raw(process);
    if (this.#file !== undefined) await this.#readLedger(raw);
    const around = { disk: this.#disk, process, world };
    const far = new SimDriver({
      world,
      process,
      inside: mutated({ ...around, driver: raw }, mutant?.store),
      plan: this.#plan,
      ledger: this.#ledger,
      late: this.#late,
      stats: this.#stats,
      cutPower: this.#file && (() => this.#file?.cutAfter(1 + world.below(6), () => process.die())),
    });
    const driver = mutated({ ...around, driver: far }, mutant?.engine);
    const store = defineStore(async () => driver);
    const options = { graphs: this.#deploys.codeOf(process), executes, lease: leaseMs, workerId: process.name };
    return { engine: await openEngineIn(process.env, store, options), raw };
  }

  /** After a power cut only what is on the disk counts. */
  async #readLedger(raw: StoreDriver): Promise<void> {
    this.#ledger.forgetRuns();
    const { headers } = await raw.runs({ order: 'oldest', limit: 100 });
    const store = new CheckedStore(raw, this.#keeper.env);
    for (const header of headers) {
      const { runId, forkedAt } = header;
      if (forkedAt !== null) {
        const shared = { runId: forkedAt.runId, before: forkedAt.seq + 1, order: 'oldest', limit: 1_000 } as const;
        const records = await raw.records(shared);
        for (const record of records) this.#ledger.journalled({ ...openRecord(forkedAt.runId, record), runId });
      }
      const records = await raw.records({ runId, order: 'oldest', limit: 1_000 });
      for (const record of records) this.#ledger.journalled(openRecord(runId, record));
      if (this.#prunes && header.kind === 'graph') this.#ledger.pruned((await loadRun(store, header)).state);
    }
  }

  #startWorker(): void {
    const world = this.#world;
    this.#stats.workers += 1;
    const skewMs = this.#options.calm === true ? 0 : (world.random() - 0.5) * world.pick([0, 200, 4_000]);
    const process = new SimProcess({ world, name: `w${this.#stats.workers}`, skewMs });
    process.onDeath = () => {
      this.#isOpen = false;
      this.#ledger.died(process);
      this.#file?.cut();
      world.after(this.#supervisor, 20 + world.random() * 1_500, () => this.#startWorker());
    };
    this.#deploys.start(process);
    this.#processes.push(process);
    world.after(process, world.random() * 50, () => void this.#work(process));
  }

  async #work(process: SimProcess): Promise<void> {
    const world = this.#world;
    const { engine, raw } = await this.#open(process, true);
    this.#isOpen = true;
    // There is only one process at a time: the people are in it too.
    if (this.#setting !== 'fleet') {
      this.#act(engine, process, raw);
      for (const atMs of this.#deploys.times)
        world.after(process, atMs - world.nowMs, () => void this.#replace(engine, process));
    }
    if (this.#setting === 'embedded') return this.#recover(engine, process);
    // Where the people are in the same process, they may ask for runs while it drains.
    if (this.#setting === 'fleet' && this.#options.calm !== true) return this.#workInShifts(engine, process);
    this.#ledger.work.begins(process.name, 4);
    await engine.work({ concurrency: 4 }).done;
  }

  #workInShifts(engine: Engine, process: SimProcess): Promise<void> {
    const world = this.#world;
    const mustLeave = (): boolean => this.#deploys.isOutdated(process);
    const onLeave = (): void => this.#startNext();
    return workInShifts({ engine, process, world, watch: this.#ledger.work, mustLeave, onLeave });
  }

  /** A process that is alone ends in order, and another one with other code begins. */
  async #replace(engine: Engine, process: SimProcess): Promise<void> {
    if (!this.#deploys.replaces(process)) return;
    await engine.close().catch(() => undefined);
    if (process.isDead) return;
    process.isDead = true;
    this.#isOpen = false;
    this.#startNext();
  }

  #startNext(): void {
    const world = this.#world;
    world.after(this.#supervisor, world.random() * 300, () => this.#startWorker());
  }

  /** From then on, whatever is due is the engine's to wake. */
  async #recover(engine: Engine, process: SimProcess): Promise<void> {
    for (;;) {
      try {
        await engine.recover();
        return;
      } catch {
        await process.delay(50);
      }
    }
  }

  #startPerson(): void {
    const process = new SimProcess({ world: this.#world, name: 'person', skewMs: 0, isPerson: true });
    this.#processes.push(process);
    this.#world.after(process, 0, () => {
      void this.#open(process, false).then(({ engine, raw }) => this.#act(engine, process, raw));
    });
  }

  #act(engine: Engine, process: SimProcess, raw: StoreDriver): void {
    actAsPerson({ engine, process, runs: this.#options.runs, memory: this.#memory, raw, prunes: this.#prunes });
  }
}

/** Simulates a world. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  // Stacks have paths of this machine in them, and cost much.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await new Simulation(options).run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
