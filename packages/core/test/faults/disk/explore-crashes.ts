import { crashChoice } from '../../../src/testing/disk/crash-choice.ts';
import type { DiskFault, DiskFaultPlan, DiskOperation } from '../../../src/testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../../src/testing/disk/simulated-disk.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { Mutant } from '../mutant/mutant.ts';
import type { ViolationKind } from '../verify/violation.ts';
import { CrashCamera, type CrashState } from './crash-camera.ts';
import { Ledger } from './ledger.ts';
import { Session, Violation } from './session.ts';
import { startOfTime } from './simulated-world.ts';
import { someTrouble, type TroubleKind } from './trouble.ts';
import { nextStep } from './workload.ts';

/** How much to explore, and what. */
export interface ExploreCrashesOptions {
  /** How many different states after a crash to look at. */
  readonly states: number;
  /** Of the first workload; the next one has the next seed. */
  readonly seed?: number | undefined;
  /** Explores a store that is broken on purpose. */
  readonly mutant?: Mutant | undefined;
  /** Every workload meets trouble of this kind; by default two of three, of any kind. */
  readonly fault?: TroubleKind | undefined;
  /** Checks only the state of this name, as a violation prints it. */
  readonly only?: string | undefined;
  /** Told of every change of the disk, and of the faults that were planned for it: to follow one workload. */
  readonly trace?: ((operation: DiskOperation, fault: DiskFault | undefined) => void) | undefined;
}

/** What was explored so far. */
export interface CrashExploration {
  /** Different states after a crash that were looked at. */
  readonly states: number;
  /** Of those, states after a crash while an earlier one was being recovered from, or in the work after it. */
  readonly deep: number;
  readonly workloads: number;
  /** Questions that the stores acknowledged. */
  readonly acknowledged: number;
  /** States in which something in flight was in doubt. */
  readonly inDoubt: number;
  /** The first thing that a store did wrong; exploration ends with it. */
  readonly violation: CrashViolation | undefined;
}

/** Something that must not happen after a crash, and how to see it again. */
export interface CrashViolation {
  /** The seed of its workload: `exploreCrashes({ seed, states: 1, only: state })`, with the same fault, shows it again. */
  readonly seed: number;
  readonly state: string;
  readonly kind: ViolationKind;
  readonly what: string;
}

const noCrash = 'no crash at all';
const stepsPerWorkload = 24;
const stepsAfterCrash = 4;
const waysPerMoment = 2;
/** One state in so many is worked on after it was looked at, with a crash at every moment of that too. */
const deepEvery = 40;

interface Crashed {
  readonly seed: number;
  readonly state: CrashState;
}

interface Work {
  readonly seed: number;
  readonly ledger: Ledger;
  readonly camera: CrashCamera;
  readonly disk: SimulatedDisk;
  readonly steps: number;
}

/** Runs workloads on a simulated disk, cuts the power at every change of it, and checks what is found afterwards. */
export async function exploreCrashes(options: ExploreCrashesOptions): Promise<CrashExploration> {
  const { states, seed = 1, only } = options;
  const explorer = new Explorer(options);
  for (let next = seed; explorer.violation === undefined && explorer.states < states; next += 1) {
    await explorer.explore(next);
    if (only !== undefined) break;
  }
  return explorer.progress();
}

class Explorer {
  readonly #options: ExploreCrashesOptions;
  states = 0;
  violation: CrashViolation | undefined;
  #deep = 0;
  #workloads = 0;
  /** Of the workload that is explored: all that is deeper follows from it. */
  #seed = 0;
  #acknowledged = 0;
  #inDoubt = 0;

  constructor(options: ExploreCrashesOptions) {
    this.#options = options;
  }

  progress(): CrashExploration {
    return {
      states: this.states,
      deep: this.#deep,
      workloads: this.#workloads,
      acknowledged: this.#acknowledged,
      inDoubt: this.#inDoubt,
      violation: this.violation,
    };
  }

  /** One workload and the states after a crash at each of its moments. */
  async explore(seed: number): Promise<void> {
    const ledger = new Ledger();
    const camera = new CrashCamera({ seed, ledger, ways: waysPerMoment });
    this.#workloads += 1;
    this.#seed = seed;
    await this.#guard(noCrash, () =>
      this.#work({ seed, ledger, camera, disk: new SimulatedDisk(), steps: stepsPerWorkload }),
    );
    this.#acknowledged += ledger.acknowledged;
    for (const [at, state] of camera.states.entries()) {
      if (this.#isEnough) return;
      await this.#check({ seed, state });
      if (at % deepEvery === seed % deepEvery) await this.#goOn({ seed: seed * 1_000 + at, state });
    }
  }

  /** Works on from a state after a crash, and checks the states after a crash at each moment of that. */
  async #goOn({ seed, state }: Crashed): Promise<void> {
    const ledger = Ledger.at(state.note);
    const camera = new CrashCamera({ seed, ledger, ways: 1 });
    await this.#guard(`${state.name}; then no crash`, () =>
      this.#work({ seed, ledger, camera, disk: state.disk, steps: stepsAfterCrash }),
    );
    for (const each of camera.states) {
      if (this.#isEnough) return;
      this.#deep += 1;
      await this.#check({ seed, state: { ...each, name: `${state.name}; then ${each.name}` } });
    }
  }

  get #isEnough(): boolean {
    return this.violation !== undefined || this.states >= this.#options.states;
  }

  async #work({ seed, ledger, camera, disk: from, steps }: Work): Promise<void> {
    const random = seededRandom(seed);
    // Later than any crash before it.
    const time = startOfTime(steps === stepsPerWorkload ? 0 : 1);
    const trouble = someTrouble(random, this.#options.fault);
    const faults: DiskFaultPlan = (operation) => {
      const fault = trouble.faults?.(operation);
      if (operation.kind !== 'read' && operation.kind !== 'open') this.#options.trace?.(operation, fault);
      return fault;
    };
    const disk = from.afterCrash(crashChoice('everything', random), {
      seed,
      faults,
      onChange: ({ kind, path }) => camera.take(disk, `after ${kind} of ${path}`),
    });
    const session = new Session({
      disk,
      ledger,
      time,
      seed: seed * 7_919,
      mutant: this.#options.mutant,
      faulty: trouble.faults !== undefined,
      diesAfter: trouble.diesAfter,
      onAcknowledge: () => camera.take(disk, 'acknowledged'),
    });
    await session.open();
    for (let step = 0; step < steps; step += 1) {
      const runs = await ledger.runs();
      await session.carryOut(nextStep({ random, runs }));
    }
  }

  async #check({ seed, state }: Crashed): Promise<void> {
    const { mutant, only } = this.#options;
    if (only !== undefined && only !== state.name) return;
    this.states += 1;
    if (state.note.inFlight.size > 0) this.#inDoubt += 1;
    await this.#guard(state.name, async () => {
      const disk = state.disk.afterCrash(crashChoice('everything', seededRandom(1)), { seed });
      // Another world's randomness: the next process must not draw what the one before has drawn.
      const session = new Session({ disk, ledger: Ledger.at(state.note), time: startOfTime(2), seed: ~seed, mutant });
      await session.open();
    });
  }

  async #guard(state: string, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      // A mutant that is found out without a crash would be by any test: that proves nothing of this one.
      if (this.#options.mutant !== undefined && state === noCrash) return;
      this.violation ??= { seed: this.#seed, state, kind: error.kind, what: error.message };
    }
  }
}
