import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { creationOf, externalWriteOf, note, notes, ownerOf } from '../../testing/contract/given.ts';
import { batchOf } from '../../testing/contract/seal-batch.ts';
import { type FaultPlan, scriptedFaults } from '../../testing/fault/fault-plan.ts';
import { FaultyDriver } from '../../testing/fault/faulty-driver.ts';
import { withCalls } from '../../testing/with-calls.ts';
import type { Commit } from '../check/check-commit.ts';
import type { Batch } from '../contract/commit.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { MemoryDriver } from '../memory/driver.ts';
import { MemoryPlace } from '../memory/memory-place.ts';
import { storeFault } from '../store-fault.ts';
import { sureCommit, sureCommitOne } from './resolve-doubt.ts';

let tokens = 0;

function newBatch(commit: Commit): Batch {
  tokens += 1;
  return batchOf(commit, { token: `token-${tokens}` });
}

/** A memory driver with runs `a`, `b` and `c` (held by a worker, with fence 1), and a faulty one over it. */
async function setUp(plan: FaultPlan) {
  const inside = new MemoryDriver(new MemoryPlace(), nodeEnv);
  for (const runId of ['a', 'b', 'c']) await inside.commit([newBatch(creationOf(runId, { worker: 'worker' }))]);
  const poisons: unknown[] = [];
  const driver = new FaultyDriver(inside, plan);
  const commit = async (batches: readonly Batch[], over: StoreDriver = driver): Promise<readonly string[]> => {
    const settled = await sureCommit({ driver: over, batches, onPoison: (cause) => poisons.push(cause) });
    return settled.map((each) => {
      if (each.status === 'fulfilled') return each.value.ok ? 'ok' : each.value.why;
      const { code, details } = each.reason as {
        readonly code: string;
        readonly details: { readonly effect?: string };
      };
      return [code, details.effect].filter(Boolean).join(' ');
    });
  };
  const headOf = async (runId: string): Promise<number | undefined> =>
    (await inside.runs({ runId, order: 'oldest', limit: 1 }))[0]?.head;
  return { inside, driver, commit, poisons, headOf };
}

const externalWrites = (): readonly Batch[] =>
  ['a', 'b', 'c'].map((runId) => newBatch(externalWriteOf(runId, { expect: 1 })));
const failed = 'HOLDFAST_STORE_FAILED none';

describe('sureCommit()', () => {
  test('gives the answers of a driver that does not fail', async () => {
    const { commit } = await setUp(() => undefined);
    const batches = [newBatch(externalWriteOf('a', { expect: 1 })), newBatch(externalWriteOf('b', { expect: 9 }))];
    expect(await commit(batches)).toEqual(['ok', 'head']);
  });

  test('tries each batch of a group alone, once, after a known rollback', async () => {
    const { commit, headOf } = await setUp(scriptedFaults({ commit: ['none', undefined, 'none'] }));
    expect(await commit(externalWrites())).toEqual(['ok', failed, 'ok']);
    expect([await headOf('a'), await headOf('b'), await headOf('c')]).toEqual([2, 1, 2]);
  });

  test('tries a batch that was alone not again', async () => {
    const { commit, headOf } = await setUp(scriptedFaults({ commit: ['none'] }));
    expect(await commit([newBatch(externalWriteOf('a', { expect: 1 }))])).toEqual([failed]);
    expect(await headOf('a')).toBe(1);
  });

  test('finds by its token a batch whose acknowledgement was lost', async () => {
    const { commit, headOf } = await setUp(scriptedFaults({ commit: ['lost-answer'] }));
    expect(await commit(externalWrites())).toEqual(['ok', 'ok', 'ok']);
    expect(await headOf('a')).toBe(2);
  });

  test('finds that a lost request had no effect', async () => {
    const { commit } = await setUp(scriptedFaults({ commit: ['lost-request', 'lost-request'] }));
    expect(await commit([...externalWrites()])).toEqual([failed, failed, failed]);
    expect(await commit([newBatch(creationOf('new'))])).toEqual([failed]);
  });

  test('finds why a batch whose refusal was lost had been refused', async () => {
    const { commit } = await setUp(() => 'lost-answer');
    const { commit: commitRead } = await setUp(scriptedFaults({ commit: ['lost-answer'] }));
    const batches = [
      newBatch(creationOf('a', { entries: [note('rival')] })),
      newBatch(externalWriteOf('b', { expect: 0 })),
      newBatch(ownerOf('c', { expect: 0, fence: 2 })),
    ];
    expect(await commitRead(batches)).toEqual(['exists', 'head', 'fence']);
    expect(await commit(batches)).toEqual(batches.map(() => 'HOLDFAST_IN_DOUBT'));
  });

  test('is in doubt when it cannot look', async () => {
    const { commit } = await setUp(scriptedFaults({ commit: ['lost-answer'], runs: ['none'] }));
    expect(await commit([newBatch(externalWriteOf('a', { expect: 1 }))])).toEqual(['HOLDFAST_IN_DOUBT']);
  });

  test('says which commit is in doubt, and why', async () => {
    const { driver } = await setUp(scriptedFaults({ commit: ['lost-answer'], runs: ['none'] }));
    const [settled] = await sureCommit({
      driver,
      batches: [newBatch(externalWriteOf('a', { expect: 1 }))],
      onPoison: () => {},
    });
    expect(settled).toMatchObject({ reason: { details: { runId: 'a', expect: 1 } } });
    expect(String((settled as PromiseRejectedResult).reason)).toContain('injected: none in runs');
  });

  test('takes a wrong number of results for a lost answer', async () => {
    const { inside, commit } = await setUp(() => undefined);
    const short: StoreDriver = Object.assign(Object.create(inside) as StoreDriver, {
      commit: async (batches: readonly Batch[]) => (await inside.commit(batches)).slice(1),
      runs: (query: never) => inside.runs(query),
    });
    expect(await commit(externalWrites(), short)).toEqual(['ok', 'ok', 'ok']);
  });
});

/** Loses the answer, and does something else before anyone can look. */
async function loseAnd(batch: Batch, since: (inside: StoreDriver) => Promise<unknown>, takesEffect = true) {
  const { inside, commit } = await setUp(() => undefined);
  const driver: StoreDriver = Object.assign(Object.create(inside) as StoreDriver, {
    commit: async (batches: readonly Batch[]) => {
      if (takesEffect) await inside.commit(batches);
      await since(inside);
      throw new Error('connection lost');
    },
    runs: (query: never) => inside.runs(query),
    records: (query: never) => inside.records(query),
  });
  return (await commit([batch], driver))[0];
}
const more =
  (expect: number, count = 1) =>
  async (inside: StoreDriver) =>
    inside.commit([newBatch(externalWriteOf('a', { expect, entries: notes(count) }))]);

const claim = async (inside: StoreDriver) => {
  await inside.claim({ type: 'heartbeat', worker: 'other', leaseMs: 1_000 });
  await inside.claim({ type: 'one', worker: 'other', runId: 'a' });
  await more(2)(inside);
};

const trim = async (inside: StoreDriver) => {
  await more(2)(inside);
  const snapshot = { covers: 2, seq: 2, head: { text: 'jnull', crc: 0 }, body: { text: 'jnull', crc: 0 } };
  await inside.trim({ runId: 'a', floor: 2, snapshot });
};
const hide = async (inside: StoreDriver) => {
  await more(2)(inside);
  await inside.trim({ runId: 'a', hide: { keepTo: 1 } });
};

describe('sureCommit() when somebody wrote since', () => {
  test("knows an owner's batch by its records", async () => {
    expect(await loseAnd(newBatch(ownerOf('a', { expect: 1, fence: 1 })), more(2))).toBe('ok');
  });

  test("knows that a batch was not made by others' records in its place", async () => {
    expect(await loseAnd(newBatch(ownerOf('a', { expect: 1, fence: 1 })), more(1, 2), false)).toBe('head');
    expect(await loseAnd(newBatch(externalWriteOf('a', { expect: 1 })), more(1, 2), false)).toBe('head');
  });

  test("is in doubt about an external writer's batch whose very words are there", async () => {
    const same = externalWriteOf('a', { expect: 1, entries: [note('same')] });
    const write = async (inside: StoreDriver) => inside.commit([newBatch(same)]);
    expect(await loseAnd(newBatch(same), write, false)).toBe('HOLDFAST_IN_DOUBT');
    expect(await loseAnd(newBatch(same), more(2))).toBe('HOLDFAST_IN_DOUBT');
  });

  test("is in doubt about an owner's batch whose words are there when the fence is not", async () => {
    expect(await loseAnd(newBatch(ownerOf('a', { expect: 1, fence: 1 })), claim)).toBe('HOLDFAST_IN_DOUBT');
  });

  test('is in doubt when the records were trimmed away or the run was hidden', async () => {
    const batch = newBatch(ownerOf('a', { expect: 1, fence: 1 }));
    expect(await loseAnd(batch, trim)).toBe('HOLDFAST_IN_DOUBT');
    expect(await loseAnd(batch, hide)).toBe('HOLDFAST_IN_DOUBT');
  });
});

describe('sureCommit() on a driver that is poisoned', () => {
  test('fails what had no effect, and tries nothing again', async () => {
    const { commit, poisons, headOf } = await setUp(scriptedFaults({ commit: ['poison'] }));
    expect(await commit(externalWrites())).toEqual([failed, failed, failed]);
    expect(poisons).toHaveLength(1);
    expect(await headOf('a')).toBe(1);
  });

  test('is in doubt about what may have happened, and believes nothing that the driver shows', async () => {
    const { commit, poisons, headOf } = await setUp(scriptedFaults({ commit: ['poison-lost-answer'] }));
    expect(await commit(externalWrites())).toEqual(externalWrites().map(() => 'HOLDFAST_IN_DOUBT'));
    expect(poisons).toHaveLength(1);
    expect(await headOf('a')).toBe(2);
  });

  test('stops trying batches alone once one of them poisons', async () => {
    const { commit, poisons, headOf } = await setUp(scriptedFaults({ commit: ['none', undefined, 'poison'] }));
    expect(await commit(externalWrites())).toEqual(['ok', failed, failed]);
    expect(poisons).toHaveLength(1);
    expect(await headOf('c')).toBe(1);
  });

  test('tells of a poison that shows while it looks', async () => {
    const { driver, commit, poisons } = await setUp(scriptedFaults({ commit: ['lost-answer'], runs: ['poison'] }));
    expect(await commit([newBatch(externalWriteOf('a', { expect: 1 }))])).toEqual(['HOLDFAST_IN_DOUBT']);
    expect(poisons).toHaveLength(1);
    await driver.close();
  });

  test('takes a fault of its own making for what it says', async () => {
    const { commit, inside } = await setUp(() => undefined);
    const driver: StoreDriver = Object.assign(Object.create(inside) as StoreDriver, {
      commit: () => Promise.reject(storeFault({ effect: 'unknown', cause: new Error('timeout') })),
      runs: (query: never) => inside.runs(query),
    });
    expect(await commit([newBatch(externalWriteOf('a', { expect: 1 }))], driver)).toEqual([failed]);
  });
});

describe('sureCommitOne()', () => {
  test('gives the answer, or throws what became of the batch', async () => {
    const { driver } = await setUp(scriptedFaults({ commit: [undefined, 'none'] }));
    const [first, second] = externalWrites();
    const one = async (batch: Batch | undefined): Promise<unknown> =>
      sureCommitOne({ driver, batches: [batch as Batch], onPoison: () => {} });
    expect(await one(first)).toEqual({ ok: true });
    await expect(one(second)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED', details: { effect: 'none' } });
  });

  test('does not believe a driver that gives no answer', async () => {
    const { inside } = await setUp(() => undefined);
    const silent = withCalls(inside, { commit: async () => [] });
    const commit = sureCommitOne({ driver: silent, batches: externalWrites().slice(0, 1), onPoison: () => {} });
    await expect(commit).rejects.toMatchObject({ code: expect.stringMatching(/^HOLDFAST_/) });
  });
});
