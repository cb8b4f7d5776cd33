import { beforeAll, describe, expect, test } from 'vitest';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import { type CrashWay, crashChoice, crashWays } from '../../testing/disk/crash-choice.ts';
import type { DiskFault, DiskOperation } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { everything, openSmall, readStates, steps } from '../../testing/file/scenario.ts';
import { envOf } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

/** A slice: of all moments and all calls one in so many. The simulated disk of `npm run test:faults` tries more. */
const every = 5;

/** What can be read before the first step, and after each. */
let states: readonly string[];

beforeAll(async () => {
  states = await readStates(envOf(new SimulatedDisk()), virtualMachine());
});

async function readAfter(disk: SimulatedDisk): Promise<string> {
  return everything(await openSmall(envOf(disk), virtualMachine()));
}

interface Cut {
  readonly disk: SimulatedDisk;
  readonly step: number;
  readonly why: string;
}

/** The disks that power cuts of that way leave, one after each change of the disk in the whole scenario. */
async function cutEverywhere(way: CrashWay, seed: number): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  const random = seededRandom(seed);
  let step = 0;
  const disk: SimulatedDisk = new SimulatedDisk({
    seed,
    onChange: ({ kind, path }) => {
      const why = `${way} after ${kind} ${path} in step ${step}`;
      cuts.push({ disk: disk.afterCrash(crashChoice(way, random), { seed }), step, why });
    },
  });
  const machine = virtualMachine();
  let { store } = await openSmall(envOf(disk), machine);
  for (const call of steps) {
    // Half of the way on a store that has been closed before.
    if (step === Math.floor(steps.length / 2)) {
      await store.close();
      store = (await openSmall(envOf(disk), machine)).store;
    }
    await call(store);
    step += 1;
  }
  await store.close();
  return cuts;
}

test('each step of the scenario can be seen', () => {
  expect(states.length).toBe(steps.length + 1);
  expect(new Set(states).size).toBe(states.length);
});

describe('a power cut after any change of the disk', () => {
  test.each(crashWays)(
    'leaves each call made whole or not at all, and none lost that was answered: %s',
    async (way) => {
      const cuts = await cutEverywhere(way, 1);
      expect(cuts.length).toBeGreaterThan(150);
      const first = crashWays.indexOf(way);
      for (const { disk, step, why } of cuts.filter((_, at) => at % every === first % every)) {
        const found = await readAfter(disk);
        expect([states[step], states[step + 1]], why).toContain(found);
        expect(await readAfter(disk.afterCrash(crashChoice('nothing', Math.random))), `${why}, and again`).toBe(found);
      }
    },
  );
});

const faults: readonly DiskFault[] = [{ code: 'EIO' }, { code: 'ENOSPC' }, { code: 'ENOSPC', written: 100 }];

interface Trial {
  /** What failed; undefined when the fault came too late to happen. */
  readonly failed: string | undefined;
  /** The fault that the caller was told of. */
  readonly told: object | undefined;
  /** What was wrong, if anything. */
  readonly wrong: readonly string[];
}

interface Trouble {
  /** Which call of the disk fails, counted from 1. */
  readonly index: number;
  readonly fault: DiskFault;
  /** Whether all calls after it fail as well, until the caller is told. */
  readonly isLasting: boolean;
}

/** Goes through the scenario with calls of the disk failing, as an engine would: again when nothing happened, anew when poisoned. */
async function goThrough({ index, fault, isLasting }: Trouble): Promise<Trial> {
  let calls = 0;
  let failed: string | undefined;
  let told: object | undefined;
  let isOver = false;
  const wrong: string[] = [];
  const plan = ({ kind, path }: DiskOperation): DiskFault | undefined => {
    calls += 1;
    if (isOver || (isLasting ? calls < index : calls !== index)) return undefined;
    failed ??= `${kind} ${path}`;
    return fault;
  };
  const disk: SimulatedDisk = new SimulatedDisk({ seed: index, faults: plan });
  const machine = virtualMachine();
  const open = (): ReturnType<typeof openSmall> => openSmall(envOf(disk), machine);
  let opened = await open().catch(() => {
    isOver = isLasting;
    return open();
  });
  for (const [at, step] of steps.entries()) {
    try {
      await step(opened.store);
    } catch (error) {
      told = (error as HoldfastError).details;
      const isPoisoned = await opened.store.header('a').then(
        () => false,
        () => true,
      );
      if (isPoisoned) await opened.store.close().catch(() => {});
      isOver = isLasting;
      if (isPoisoned) opened = await open();
      const found = await everything(opened);
      if (found !== states[at] && found !== states[at + 1]) wrong.push(`step ${at} is neither made nor not made`);
      const after = await readAfter(disk.afterCrash(crashChoice('nothing', Math.random)));
      if (after !== found) wrong.push(`what was seen after step ${at} is lost with the power`);
      if (found === states[at]) await step(opened.store);
    }
  }
  isOver = true;
  if ((await everything(opened)) !== states.at(-1)) wrong.push('the end is another');
  const atLast = await readAfter(disk.afterCrash(crashChoice('nothing', Math.random)));
  if (atLast !== states.at(-1)) wrong.push('the end is lost with the power');
  await opened.store.close();
  return { failed, told, wrong };
}

/** Troubles of a kind, from the first call of the disk to the last. */
async function goThroughMany(fault: DiskFault, isLasting: boolean): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  // The first kind at every call, the others at a slice of them.
  const stride = fault === faults[0] && !isLasting ? 1 : every;
  for (let count = 0; ; count += 1) {
    // Each time at another place of the slice: calls repeat in a rhythm of their own.
    const index = 1 + count * stride + ((count + faults.indexOf(fault)) % stride);
    const trial = await goThrough({ index, fault, isLasting });
    if (trial.failed === undefined) return trials;
    trials.push(trial);
  }
}

describe('a disk that fails', () => {
  test.each(faults)('once loses nothing that was answered, and nothing that was seen: %o', async (fault) => {
    const trials = await goThroughMany(fault, false);
    expect(trials.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(trials.length).toBeGreaterThan(150 / every);
    const ofJournal = (kind: string): readonly Trial[] =>
      trials.filter(({ failed, told }) => told !== undefined && new RegExp(`^${kind} .*journal`).test(`${failed}`));
    const isFull = fault.code === 'ENOSPC';
    // A full disk before the sync: nothing happened, and the store continues. Of a commit in doubt there is run and expect.
    const fates = isFull
      ? ['{"effect":"none","poisoned":false,"transient":false}']
      : ['runId,expect', 'effect,poisoned,transient'];
    const told = ofJournal('write').map((trial) =>
      isFull ? JSON.stringify(trial.told) : Object.keys(trial.told ?? {}).join(),
    );
    expect(told.length).toBeGreaterThan(10 / every);
    for (const each of told) expect(fates).toContain(each);
    const syncs = ofJournal('sync').map((trial) => JSON.stringify(trial.told));
    expect(syncs.length).toBeGreaterThan(10 / every);
    for (const each of syncs) expect(each).toMatch(/"expect":|"effect":"unknown","poisoned":true/);
  });

  test.each(faults)('for a while loses nothing that was answered, and nothing that was seen: %o', async (fault) => {
    const trials = await goThroughMany(fault, true);
    expect(trials.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(trials.length).toBeGreaterThan(150 / every);
  });
});
