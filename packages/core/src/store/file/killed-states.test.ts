import { beforeAll, expect, test } from 'vitest';
import type { Machine } from '../../env/machine.ts';
import { crashChoice, crashWays } from '../../testing/disk/crash-choice.ts';
import { mortalFiles } from '../../testing/disk/mortal-files.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { everything, openSmall, readStates, steps } from '../../testing/file/scenario.ts';
import { envOf } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

/** A slice: a kill at every so many changes of the disk. The simulated disk of `npm run test:faults` tries more. */
const killEvery = 13;

/** What can be read before the first step, and after each. */
let states: readonly string[];

beforeAll(async () => {
  states = await readStates(envOf(new SimulatedDisk()), virtualMachine());
});

interface Killed {
  readonly disk: SimulatedDisk;
  /** It continues: only the process is gone. */
  readonly machine: Machine;
  /** The step that was in flight. */
  readonly step: number;
  /** Told of every change of the disk from now on. */
  readonly watch: (onChange: (what: string) => void) => void;
}

/** Goes through the scenario until the process is killed at that change of the disk; undefined when it is over before. */
async function killAt(change: number): Promise<Killed | undefined> {
  let onChange: ((what: string) => void) | undefined;
  const machine = virtualMachine();
  const disk = new SimulatedDisk({ seed: change, onChange: ({ kind, path }) => onChange?.(`${kind} ${path}`) });
  let step = 0;
  const death = new Promise<boolean>((resolve) => {
    const files = mortalFiles(disk, { changes: change, onDeath: () => resolve(true) });
    const goThrough = async (): Promise<void> => {
      const { store } = await openSmall({ ...envOf(disk), files }, machine);
      for (const call of steps) {
        await call(store);
        step += 1;
      }
    };
    goThrough().then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  if (!(await death)) return undefined;
  machine.die();
  // What the process had asked for is done by then.
  await new Promise((resolve) => setImmediate(resolve));
  const watch = (listener: (what: string) => void): void => {
    onChange = listener;
  };
  return { disk, machine, step, watch };
}

async function readOn(disk: SimulatedDisk, machine: Machine = virtualMachine()): Promise<string> {
  return everything(await openSmall(envOf(disk), machine));
}

/** The disks that a power cut leaves after each change that the next process makes when it opens the store. */
async function cutWhileOpening(
  { disk, machine, watch }: Killed,
  seed: number,
): Promise<ReadonlyMap<string, SimulatedDisk>> {
  const random = seededRandom(seed);
  const cuts = new Map<string, SimulatedDisk>();
  watch((what) => {
    const way = crashWays[Math.floor(random() * crashWays.length)] ?? 'anything';
    cuts.set(`${cuts.size} ${way} after ${what}`, disk.afterCrash(crashChoice(way, random), { seed }));
  });
  await readOn(disk, machine);
  watch(() => {});
  return cuts;
}

test('a power cut while the store of a killed process is opened again leaves each call made whole or not at all', async () => {
  let cases = 0;
  for (let change = 1; ; change += killEvery) {
    const killed = await killAt(change);
    if (killed === undefined) break;
    const possible = [states[killed.step], states[killed.step + 1]];
    for (const [why, disk] of await cutWhileOpening(killed, change)) {
      cases += 1;
      expect(possible, `killed at change ${change} in step ${killed.step}, ${why}`).toContain(await readOn(disk));
    }
  }
  expect(cases).toBeGreaterThan(150);
});
