import type { HarnessName, StoreName } from '../mutant/mutant.ts';
import { mutants } from '../mutants.ts';
import type { LaneResult } from './lane-result.ts';

/** One thing to do: a harness on a store, as it is or broken. */
export interface Job {
  readonly harness: HarnessName;
  readonly store: StoreName;
  readonly mutant?: string | undefined;
  readonly cycles: number;
  /** It continues until so many cycles have hit; where there is a list of things to try, it ends with the list. */
  readonly hits?: number | undefined;
  /** Of what is not part of a commit, only every so many of a list. */
  readonly outside?: number | undefined;
}

/** How much is done in each mode. */
export type Mode = 'faults' | 'long';

/** SQLite has a file system of its own and cannot be put on the simulated disk. */
const stores: Readonly<Record<HarnessName, readonly StoreName[]>> = {
  kill: ['sqlite', 'file'],
  power: ['sqlite', 'file'],
  syscall: ['sqlite', 'file'],
  'full-disk': ['sqlite', 'file'],
  processes: ['sqlite', 'file'],
  disk: ['file'],
  corruption: ['sqlite', 'file'],
};

/** Where there is a list of things to try, all of it. */
const all = 1_000_000;

const cycles: Readonly<Record<Mode, Readonly<Record<HarnessName, number>>>> = {
  faults: { kill: 1_000, power: 500, syscall: all, 'full-disk': 10, processes: 10, disk: 12_000, corruption: 500_000 },
  long: {
    kill: 10_000,
    power: 5_000,
    syscall: all,
    'full-disk': 100,
    processes: 500,
    disk: 1_000_000,
    corruption: all,
  },
};

/** A mutant is caught within so many cycles, or not. */
const mutantCycles: Readonly<Record<HarnessName, number>> = {
  kill: 300,
  power: 100,
  syscall: all,
  'full-disk': 5,
  processes: 10,
  disk: 12_000,
  corruption: all,
};

/** Of so many cycles, this share must hit: a commit in flight, the call that was meant, a full disk, a stale writer. */
const leastHits: Readonly<Record<HarnessName, number>> = {
  kill: 0.5,
  power: 0.3,
  syscall: 0.9,
  'full-disk': 1,
  processes: 0.5,
  disk: 0.25,
  corruption: 0.5,
};

/** What is wrong with the result of a job; undefined when it ended as it must. */
export function problemOf(job: Job, { cycles, hits, violations }: LaneResult): string | undefined {
  const { harness, mutant, hits: wanted } = job;
  const [first] = violations;
  if (mutant !== undefined) return first === undefined ? `not caught in ${cycles} cycles` : undefined;
  if (first !== undefined) return `${violations.length} violations, the first: ${first.kind}: ${first.what}`;
  if (cycles > 0 && hits >= (wanted ?? cycles * leastHits[harness])) return undefined;
  return `only ${hits} of ${cycles} cycles hit, which proves too little`;
}

/** Names the job in reports and in the file that remembers what is done. */
export function nameOf({ harness, store, mutant }: Job): string {
  return [harness, store, ...(mutant === undefined ? [] : [mutant])].join(' ');
}

/** Everything that a mode does. */
export function jobsOf(mode: Mode): readonly Job[] {
  const harnesses = Object.keys(cycles[mode]) as readonly HarnessName[];
  return harnesses.flatMap((harness) => {
    const outside = mode === 'faults' ? 3 : 1;
    const sound = stores[harness].map(
      (store): Job => ({ harness, store, ...until(harness, cycles[mode][harness]), outside }),
    );
    return [...mutantJobs(harness), ...sound];
  });
}

/** Every mutant that a harness must catch. */
export function mutantJobs(harness: HarnessName): readonly Job[] {
  return stores[harness].flatMap((store) =>
    mutants
      .filter((mutant) => mutant.caughtBy.includes(harness) && mutant.stores.includes(store))
      .map(({ name }): Job => ({ harness, store, mutant: name, ...until(harness, mutantCycles[harness]) })),
  );
}

/** So many cycles, and as many more as it takes until enough of them have hit. */
function until(harness: HarnessName, least: number): Pick<Job, 'cycles' | 'hits'> {
  return { cycles: least, hits: isList(harness) ? undefined : Math.ceil(least * leastHits[harness]) };
}

/** Whether the harness goes through a list, all of it. */
export function isList(harness: HarnessName): boolean {
  return harness === 'syscall' || harness === 'corruption';
}
