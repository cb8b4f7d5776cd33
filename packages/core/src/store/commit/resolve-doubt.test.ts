import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import { creationOf, externalWriteOf, note, notes, ownerOf } from '../../testing/contract/given.ts';
import { type FaultPlan, scriptedFaults } from '../../testing/fault/fault-plan.ts';
import { FaultyDriver } from '../../testing/fault/faulty-driver.ts';
import { withCalls } from '../../testing/with-calls.ts';
import type { Commit } from '../check/check-commit.ts';
import type { Batch, BatchResult } from '../contract/commit.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { LiveDriver } from '../live/live-driver.ts';
import { MemoryDriver } from '../memory/driver.ts';
import { MemoryPlace } from '../memory/memory-place.ts';
import { storeFault } from '../store-fault.ts';
import { commitForSure } from './resolve-doubt.ts';

let tokens = 0;

function newBatch(commit: Commit): Batch {
  tokens += 1;
  return batchOf(commit, { token: `token-${tokens}` });
}

interface SetUp {
  readonly plan?: FaultPlan;
  readonly change?: (inside: MemoryDriver) => Partial<StoreDriver>;
  readonly reopen?: boolean;
  readonly patienceMs?: number;
}

/** A memory driver with runs `a`, `b` and `c` (leased by a worker, with fence 1), and one over it that fails. */
async function setUp({ plan = () => undefined, change = () => ({}), reopen = false, patienceMs = 5_000 }: SetUp = {}) {
  const inside = new MemoryDriver(new MemoryPlace(), nodeEnv);
  for (const runId of ['a', 'b', 'c']) await inside.commit([newBatch(creationOf(runId, { worker: 'worker' }))]);
  const arrivals: (() => Promise<void>)[] = [];
  const changed = withCalls(inside, change(inside));
  const faulty = new FaultyDriver(changed, plan, { ...nodeEnv, onLate: (arrive) => arrivals.push(arrive) });
  const env = { ...nodeEnv, clock: { ...nodeEnv.clock, sleep: () => new Promise<void>((done) => setImmediate(done)) } };
  const driver = new LiveDriver(faulty, {
    env: reopen ? { ...env, clock: nodeEnv.clock } : env,
    patienceMs,
    ...(reopen && { reopen: async () => inside }),
  });
  const commit = async (...batches: readonly Batch[]): Promise<readonly string[]> => {
    const settled = await commitForSure({ driver, batches, patience: driver.patience() });
    return settled.map((each) => {
      if (each.status === 'fulfilled') return each.value.ok ? `ok ${each.value.epoch}` : each.value.why;
      const { code, details } = each.reason as {
        readonly code: string;
        readonly details: { readonly effect?: string };
      };
      return [code, details.effect].filter(Boolean).join(' ');
    });
  };
  const headsOf = async (): Promise<readonly number[]> => {
    const { headers } = await inside.runs({ order: 'oldest', limit: 9 });
    return headers.map(({ head }) => head);
  };
  return { inside, driver, commit, headsOf, arrivals };
}

const writes = (): readonly Batch[] => ['a', 'b', 'c'].map((runId) => newBatch(externalWriteOf(runId, { expect: 1 })));
const write = (): Batch => newBatch(externalWriteOf('a', { expect: 1 }));
const failed = 'HOLDFAST_STORE_FAILED none';
const inDoubt = 'HOLDFAST_IN_DOUBT';

describe('commitForSure()', () => {
  test('gives the answers of a driver that does not fail', async () => {
    const { commit } = await setUp();
    expect(await commit(write(), newBatch(externalWriteOf('b', { expect: 9 })))).toEqual(['ok 0', 'head']);
  });

  test('tries each batch of a group alone, once, after a known rollback', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['none', undefined, 'none'] }) });
    expect(await commit(...writes())).toEqual(['ok 0', failed, 'ok 0']);
    expect(await headsOf()).toEqual([2, 1, 2]);
  });

  test('does not try a batch again that was alone', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['none'] }) });
    expect(await commit(write())).toEqual([failed]);
    expect(await headsOf()).toEqual([1, 1, 1]);
  });

  test('passes on that the place is corrupt', async () => {
    const cause = holdfastError('HOLDFAST_CORRUPT', 'Corrupt.');
    const { commit } = await setUp({
      change: () => ({ commit: () => Promise.reject(storeFault({ effect: 'none', cause })) }),
    });
    expect(await commit(write())).toEqual(['HOLDFAST_CORRUPT']);
  });

  test('takes a wrong number of results for a lost answer', async () => {
    const { commit } = await setUp({
      change: (inside) => ({ commit: async (batches) => (await inside.commit(batches)).slice(1) }),
    });
    expect(await commit(...writes())).toEqual(['ok 0', 'ok 0', 'ok 0']);
  });
});

describe('commitForSure() when the epoch has been raised', () => {
  test('repeats the batch with the epoch that was found', async () => {
    const { inside, commit, headsOf } = await setUp();
    await inside.resolveDoubt(write());
    await inside.resolveDoubt(newBatch(creationOf('new')));
    expect(await commit(...writes(), newBatch(creationOf('new')))).toEqual(['ok 1', 'ok 0', 'ok 0', 'ok 1']);
    expect(await headsOf()).toEqual([2, 2, 2, 1]);
  });

  test('does not repeat without end what a driver refuses by the epoch that it named', async () => {
    const refusal: BatchResult = { ok: false, why: 'epoch', found: undefined, epoch: 0 };
    const { commit } = await setUp({ change: () => ({ commit: async () => [refusal] }) });
    expect(await commit(write())).toEqual(['HOLDFAST_STORE_CONTRACT']);
  });
});

describe('commitForSure() in doubt', () => {
  test('finds a batch whose acknowledgement was lost', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['lost-answer'] }) });
    expect(await commit(...writes())).toEqual(['ok 0', 'ok 0', 'ok 0']);
    expect(await headsOf()).toEqual([2, 2, 2]);
  });

  test('finds that a lost request had no effect', async () => {
    const { commit } = await setUp({ plan: scriptedFaults({ commit: ['lost-request', 'lost-request'] }) });
    expect(await commit(...writes())).toEqual([failed, failed, failed]);
    expect(await commit(newBatch(creationOf('new')))).toEqual([failed]);
  });

  test('keeps a late commit out for good', async () => {
    const { commit, headsOf, arrivals } = await setUp({ plan: scriptedFaults({ commit: ['late-commit'] }) });
    expect(await commit(...writes(), newBatch(creationOf('new')))).toEqual([failed, failed, failed, failed]);
    for (const arrive of arrivals) await arrive();
    expect(await headsOf()).toEqual([1, 1, 1]);
    expect(await commit(write(), newBatch(creationOf('new')))).toEqual(['ok 1', 'ok 1']);
  });

  test('finds why a batch whose refusal was lost had been refused', async () => {
    const { inside, commit } = await setUp({ plan: scriptedFaults({ commit: ['lost-answer'] }) });
    await inside.commit([newBatch(creationOf('d'))]);
    await inside.trim({ runId: 'd', hide: { keepTo: 1 } });
    const batches = [
      newBatch(creationOf('a', { entries: [note('rival')] })),
      newBatch(externalWriteOf('b', { expect: 0 })),
      newBatch(ownerOf('c', { expect: 0, fence: 2 })),
      newBatch(externalWriteOf('d', { expect: 1 })),
      newBatch(externalWriteOf('e', { expect: 1 })),
    ];
    expect(await commit(...batches)).toEqual(['exists', 'head', 'fence', 'missing', 'missing']);
  });

  test('is in doubt when the result cannot be determined', async () => {
    const { commit } = await setUp({
      plan: scriptedFaults({ commit: ['lost-answer'] }),
      change: () => ({ resolveDoubt: async () => ({ outcome: 'unknown' }) }),
    });
    expect(await commit(write())).toEqual([inDoubt]);
  });

  test('is in doubt when the doubt cannot be settled, and says about what and why', async () => {
    const { driver } = await setUp({ plan: scriptedFaults({ commit: ['lost-answer'], resolveDoubt: ['none'] }) });
    const [settled] = await commitForSure({ driver, batches: [write()], patience: driver.patience() });
    expect(settled).toMatchObject({ reason: { code: inDoubt, details: { runId: 'a', expect: 1 } } });
    expect(String((settled as PromiseRejectedResult).reason)).toContain('injected: none in resolveDoubt');
  });
});

describe('commitForSure() after a transient fault', () => {
  test('tries a group again that had no effect', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['transient-none', 'transient-none'] }) });
    expect(await commit(...writes())).toEqual(['ok 0', 'ok 0', 'ok 0']);
    expect(await headsOf()).toEqual([2, 2, 2]);
  });

  test('repeats what is absent with the new epoch, once', async () => {
    const { commit, headsOf, arrivals } = await setUp({ plan: scriptedFaults({ commit: ['transient-late-commit'] }) });
    expect(await commit(newBatch(externalWriteOf('a', { expect: 1, entries: notes(2) })))).toEqual(['ok 1']);
    for (const arrive of arrivals) await arrive();
    expect(await headsOf()).toEqual([3, 1, 1]);
  });

  test('keeps asking for the result of a batch', async () => {
    const plan = scriptedFaults({
      commit: ['transient-lost-answer'],
      resolveDoubt: ['transient-lost-request', 'transient-none', 'transient-lost-answer'],
    });
    const { commit } = await setUp({ plan });
    expect(await commit(write())).toEqual(['ok 0']);
  });

  test('waits as long for each batch of a group as for one', async () => {
    const together = 8;
    const { commit } = await setUp({
      plan: ({ method, count }) => {
        if (method === 'commit') return count === 0 ? 'transient-lost-answer' : undefined;
        return method === 'resolveDoubt' && count < together * 8 ? 'transient-none' : undefined;
      },
    });
    const batches = Array.from({ length: together }, (_, at) => newBatch(creationOf(`new-${at}`)));
    expect(await commit(...batches)).toEqual(batches.map(() => 'ok 0'));
  });

  test('gives up when the patience is over: failed without effect, or in doubt', async () => {
    const { commit } = await setUp({ plan: () => 'transient-none', patienceMs: 0 });
    expect(await commit(write())).toEqual([failed]);
    const lost = await setUp({ plan: scriptedFaults({ commit: ['transient-lost-request'] }), patienceMs: 0 });
    expect(await lost.commit(write())).toEqual([failed]);
    const doubting = await setUp({ plan: () => 'transient-lost-answer', patienceMs: 0 });
    expect(await doubting.commit(write())).toEqual([inDoubt]);
  });
});

describe('commitForSure() on a driver that is poisoned', () => {
  test('fails what had no effect, and tries nothing again', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['poison'] }) });
    expect(await commit(...writes())).toEqual([failed, failed, failed]);
    expect(await headsOf()).toEqual([1, 1, 1]);
    expect(await commit(write())).toEqual(['HOLDFAST_STORE_POISONED']);
  });

  test('is in doubt about what may have happened where nothing opens it again', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['poison-lost-answer'] }) });
    expect(await commit(...writes())).toEqual([inDoubt, inDoubt, inDoubt]);
    expect(await headsOf()).toEqual([2, 2, 2]);
  });

  test('settles the doubt on the driver that is opened again', async () => {
    const { commit } = await setUp({ plan: scriptedFaults({ commit: ['poison-lost-answer'] }), reopen: true });
    expect(await commit(...writes())).toEqual(['ok 0', 'ok 0', 'ok 0']);
  });

  test('settles the doubt also when the poison shows only then', async () => {
    const plan = scriptedFaults({ commit: ['lost-answer'], resolveDoubt: ['poison'] });
    const { commit } = await setUp({ plan, reopen: true });
    expect(await commit(write())).toEqual(['ok 0']);
  });

  test('waits with what came after the poison until the driver is opened again', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['poison'] }), reopen: true });
    expect(await commit(write())).toEqual([failed]);
    expect(await commit(write())).toEqual(['ok 0']);
    expect(await headsOf()).toEqual([2, 1, 1]);
  });

  test('stops trying batches alone once one of them poisons', async () => {
    const { commit, headsOf } = await setUp({ plan: scriptedFaults({ commit: ['none', undefined, 'poison'] }) });
    expect(await commit(...writes())).toEqual(['ok 0', failed, 'HOLDFAST_STORE_POISONED']);
    expect(await headsOf()).toEqual([2, 1, 1]);
  });
});
