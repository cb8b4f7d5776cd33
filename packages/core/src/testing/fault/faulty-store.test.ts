import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { memoryStore } from '../../store/memory/open.ts';
import { openDriver, openStore } from '../../store/store.ts';
import { faultOf } from '../../store/store-fault.ts';
import { batchOf } from '../contract/commit/seal-batch.ts';
import { create, creationOf, idsOf } from '../contract/given.ts';
import { virtualClock } from '../virtual-clock.ts';
import { withCalls } from '../with-calls.ts';
import { type FaultKind, type FaultyMethod, scriptedFaults, seededFaults } from './fault-plan.ts';
import { FaultyDriver } from './faulty-driver.ts';
import { faultyStore } from './faulty-store.ts';

/** Late commits never arrive by themselves. */
const never = (): void => undefined;

describe('faultyStore()', () => {
  test('does what the store inside does where nothing is planned', async () => {
    const inside = memoryStore();
    const store = await openStore(
      faultyStore(inside, () => undefined),
      nodeEnv,
    );
    const hints: unknown[] = [];
    const stop = store.watch((hint) => hints.push(hint));
    await create(store, 'run');
    stop();
    expect(hints).toEqual([{ runId: 'run', head: 1, notDue: true }]);
    expect(store.capabilities).toMatchObject({ reopens: true, shared: true, groupsInFlight: 1 });
    expect(await store.snapshots({ runId: 'run', limit: 1, bodies: true })).toEqual([]);
    expect(await store.records({ runId: 'run', order: 'oldest', limit: 1 })).toHaveLength(1);
    expect(await store.load({ runId: 'run', limit: 1 })).toMatchObject({ header: { runId: 'run' } });
    expect(await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 1 })).toMatchObject({ claimed: [] });
    await store.close();
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(['run']);
  });

  test.each<[FaultKind, boolean]>([
    ['none', false],
    ['lost-request', false],
    ['transient-none', false],
    ['transient-lost-request', false],
    ['poison', false],
    ['late-commit', false],
    ['transient-late-commit', false],
    ['lost-answer', true],
    ['transient-lost-answer', true],
    ['poison-lost-answer', true],
  ])('fails with %s; the effect is there: %s', async (kind, isThere) => {
    const inside = memoryStore();
    const driver = await openDriver(
      faultyStore(inside, scriptedFaults({ commit: [kind] }), { onLate: never }),
      nodeEnv,
    );
    const failed = driver.commit([batchOf(creationOf('run'), { token: 't' })]);
    const error: unknown = await failed.then(undefined, (thrown: unknown) => thrown);
    expect(faultOf(error)).toMatchObject({
      effect: kind.endsWith('none') || kind === 'poison' ? 'none' : 'unknown',
      ...(kind.startsWith('poison') && { poisoned: true }),
      ...(kind.startsWith('transient') && { transient: true }),
    });
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(isThere ? ['run'] : []);
  });

  test('fails every method as planned, late commits as lost requests', async () => {
    const driver = await openDriver(
      faultyStore(memoryStore(), () => 'late-commit'),
      nodeEnv,
    );
    const batch = batchOf(creationOf('run'), { token: 't' });
    const calls: Readonly<Record<Exclude<FaultyMethod, 'commit'>, () => Promise<unknown>>> = {
      resolveDoubt: () => driver.resolveDoubt(batch),
      load: () => driver.load({ runId: 'run', limit: 1 }),
      records: () => driver.records({ runId: 'run', order: 'oldest', limit: 1 }),
      snapshots: () => driver.snapshots({ runId: 'run', limit: 1, bodies: true }),
      ids: () => driver.ids({ runId: 'run', limit: 1 }),
      runs: () => driver.runs({ order: 'oldest', limit: 1 }),
      claim: () => driver.claim({ type: 'heartbeat', worker: 'w', leaseMs: 1 }),
      trim: () => driver.trim({ runId: 'run', remove: true }),
      close: () => driver.close(),
    };
    for (const [method, call] of Object.entries(calls)) {
      await expect(call()).rejects.toThrow(`injected: late-commit in ${method}`);
    }
  });
});

describe('a late commit', () => {
  const late = scriptedFaults({ commit: ['late-commit'] });
  const creation = batchOf(creationOf('run'), { token: 't' });

  test('arrives some time after its error', async () => {
    const clock = virtualClock();
    const env = { ...nodeEnv, clock };
    const inside = memoryStore();
    const driver = await openDriver(faultyStore(inside, late, { lateMs: 50 }), env);
    await expect(driver.commit([creation])).rejects.toThrow('injected');
    await clock.advance(49);
    expect(await idsOf(await openStore(inside, env))).toEqual([]);
    await clock.advance(1);
    expect(await idsOf(await openStore(inside, env))).toEqual(['run']);
  });

  test('arrives once, when the test says so', async () => {
    const arrivals: (() => Promise<void>)[] = [];
    const inside = memoryStore();
    const store = faultyStore(inside, late, { onLate: (arrive) => arrivals.push(arrive) });
    const driver = await openDriver(store, nodeEnv);
    await expect(driver.commit([creation])).rejects.toThrow('injected');
    for (const arrive of [...arrivals, ...arrivals]) await arrive();
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(['run']);
  });

  test('arrives before the driver is closed', async () => {
    const inside = memoryStore();
    const driver = await openDriver(faultyStore(inside, late, { onLate: never }), nodeEnv);
    await expect(driver.commit([creation])).rejects.toThrow('injected');
    await driver.close();
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(['run']);
  });

  test('never arrives beside another commit, in which the same run may be', async () => {
    const log: string[] = [];
    const inside = await openDriver(memoryStore(), nodeEnv);
    const slow = withCalls(inside, {
      commit: async (batches) => {
        log.push('begin');
        for (let tick = 0; tick < 3; tick += 1) await new Promise(setImmediate);
        log.push('end');
        return inside.commit(batches);
      },
    });
    const arrivals: (() => Promise<void>)[] = [];
    const plan = scriptedFaults({ commit: ['late-commit', 'late-commit'] });
    const driver = new FaultyDriver(slow, plan, {
      clock: nodeEnv.clock,
      onLate: (arrive) => arrivals.push(arrive),
    });
    for (const runId of ['a', 'b']) {
      await expect(driver.commit([batchOf(creationOf(runId), { token: runId })])).rejects.toThrow('injected');
    }
    const commit = (runId: string): Promise<unknown> => driver.commit([batchOf(creationOf(runId), { token: runId })]);
    await Promise.all([commit('c'), ...arrivals.map((arrive) => arrive()), commit('d')]);
    expect(log).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end']);
  });
});

describe('scriptedFaults()', () => {
  test('fails each method in turn as its list says', () => {
    const plan = scriptedFaults({ commit: [undefined, 'none'], close: ['poison'] });
    const kinds = (method: FaultyMethod) => [0, 1, 2].map((count) => plan({ method, count }));
    expect(kinds('commit')).toEqual([undefined, 'none', undefined]);
    expect(kinds('close')).toEqual(['poison', undefined, undefined]);
    expect(kinds('trim')).toEqual([undefined, undefined, undefined]);
  });
});

describe('seededFaults()', () => {
  const kinds = { commit: ['none', 'lost-answer'] } as const;
  const draw = (seed: number, rate: number, method: FaultyMethod = 'commit') => {
    const plan = seededFaults({ seed, rate, kinds });
    return Array.from({ length: 500 }, (_, count) => plan({ method, count }));
  };

  test('fails the same calls for the same seed', () => {
    expect(draw(1, 0.3)).toEqual(draw(1, 0.3));
    expect(draw(1, 0.3)).not.toEqual(draw(2, 0.3));
  });

  test('fails the share of calls that it is told to, in the ways it is told to', () => {
    expect(draw(1, 0).filter((kind) => kind !== undefined)).toEqual([]);
    const failed = draw(1, 0.3).filter((kind) => kind !== undefined);
    expect(failed.length).toBeGreaterThan(100);
    expect(failed.length).toBeLessThan(200);
    expect(new Set(failed)).toEqual(new Set(kinds.commit));
    expect(draw(1, 1, 'runs').filter((kind) => kind !== undefined)).toEqual([]);
  });
});
