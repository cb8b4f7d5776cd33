import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { commit, create, creationOf, externalWriteOf, note, notes, snapshotOf } from '../testing/contract/given.ts';
import { failingMemory } from '../testing/failing-memory.ts';
import { type FaultPlan, scriptedFaults } from '../testing/fault/fault-plan.ts';
import { FaultyDriver } from '../testing/fault/faulty-driver.ts';
import { Keyring } from '../value/secret/keyring.ts';
import { CheckedStore } from './checked-store.ts';
import type { Batch } from './contract/commit.ts';
import type { StoreDriver } from './contract/driver.ts';
import type { MemoryDriver } from './memory/driver.ts';

const code = (code: string): unknown => expect.objectContaining({ code });
const one = { runId: 'run', order: 'oldest', limit: 1 } as const;

/** Every way to use a store. */
function calls(store: CheckedStore): Readonly<Record<string, () => unknown>> {
  return {
    commit: () => store.commit(creationOf('other')),
    header: () => store.header('run'),
    runs: () => store.runs({ order: 'oldest', limit: 1 }),
    load: () => store.load({ runId: 'run', limit: 1 }),
    records: () => store.records(one),
    snapshots: () => store.snapshots({ runId: 'run', limit: 1, bodies: true }),
    claim: () => store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 1 }),
    trim: () => store.trim({ runId: 'run', remove: true }),
    watch: () => store.watch(() => {}),
  };
}

async function outcomesOf(store: CheckedStore): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(Object.values(calls(store)).map(async (call) => call()));
  return settled.map((each) => (each.status === 'rejected' ? (each.reason as { readonly code: string }).code : 'ok'));
}

describe('commit()', () => {
  test('gives the new head and the size of its records', async () => {
    const { store } = failingMemory();
    const outcome = await store.commit(creationOf('run', { entries: notes(2) }));
    expect(outcome).toMatchObject({ ok: true, head: 2 });
    expect(outcome.ok && outcome.bytes).toBeGreaterThan(20);
  });

  test('checks and encodes before anything is asked of the driver', async () => {
    const { store, disk } = failingMemory();
    await expect(store.commit(externalWriteOf('../x', { expect: 0 }))).rejects.toThrow(code('HOLDFAST_INVALID_ID'));
    const bad = creationOf('run', { entries: [note(() => {})] });
    await expect(store.commit(bad)).rejects.toThrow(code('HOLDFAST_UNSERIALIZABLE'));
    const badSnapshot = creationOf('run', { snapshot: snapshotOf(1, Symbol('no')) });
    await expect(store.commit(badSnapshot)).rejects.toThrow(code('HOLDFAST_UNSERIALIZABLE'));
    expect(disk.runs.size).toBe(0);
  });

  test('gives every batch a token of its own', async () => {
    const tokens = new Set<string>();
    const { store } = failingMemory({
      change: (inside) => ({
        commit: (batches) => {
          for (const { token } of batches) tokens.add(token);
          return inside.commit(batches);
        },
      }),
    });
    for (const runId of ['a', 'b', 'c']) await create(store, runId);
    expect(tokens.size).toBe(3);
  });

  test('makes groups, also when a group has to be taken apart', async () => {
    const sizes: number[] = [];
    const { store } = failingMemory({
      change: (inside) => {
        const failing = new FaultyDriver(inside, scriptedFaults({ commit: ['none'] }), nodeEnv);
        return {
          commit: (batches: readonly Batch[]) => {
            sizes.push(batches.length);
            return failing.commit(batches);
          },
        };
      },
    });
    const runs = ['a', 'b', 'c'];
    const outcomes = await Promise.all(
      runs.map((runId) => store.commit(creationOf(runId, { snapshot: snapshotOf(1) }))),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  test('rejects with a code when the driver fails, and works on', async () => {
    const { store } = failingMemory({
      plan: scriptedFaults({ commit: ['none', 'lost-answer'], resolveDoubt: ['lost-answer'] }),
    });
    await expect(store.commit(creationOf('run'))).rejects.toThrow(code('HOLDFAST_STORE_FAILED'));
    await expect(store.commit(creationOf('run'))).rejects.toThrow(code('HOLDFAST_IN_DOUBT'));
    await commit(store, externalWriteOf('run', { expect: 1 }));
  });
});

describe('header()', () => {
  test('returns the header of a run that exists and is not hidden', async () => {
    const { store } = failingMemory();
    await create(store, 'run');
    expect(await store.header('run')).toMatchObject({ runId: 'run', head: 1 });
    expect(await store.header('nobody')).toBeUndefined();
    await store.trim({ runId: 'run', hide: { keepTo: 1 } });
    expect(await store.header('run')).toBeUndefined();
  });

  test.each([undefined, null, {}, '', 'a/b'])('refuses %o rather than give some run', async (bad) => {
    const { store } = failingMemory();
    await create(store, 'run');
    await expect(store.header(bad as string)).rejects.toThrow(code('HOLDFAST_INVALID_ID'));
  });
});

describe('reading', () => {
  test('refuses a bad query before the driver is asked', async () => {
    const { store } = failingMemory({ plan: () => 'none' });
    await expect(store.runs({ order: 'oldest', limit: 0 })).rejects.toThrow(code('HOLDFAST_INVALID_OPTION'));
    await expect(store.records({ ...one, runId: '..' })).rejects.toThrow(code('HOLDFAST_INVALID_ID'));
    await expect(store.load({ runId: 'run', limit: -1 })).rejects.toThrow(code('HOLDFAST_INVALID_OPTION'));
    await expect(store.snapshots({ runId: 'run', limit: 0, bodies: true })).rejects.toThrow(
      code('HOLDFAST_INVALID_OPTION'),
    );
    await expect(store.claim({ type: 'heartbeat', worker: '', leaseMs: 1 })).rejects.toThrow(
      code('HOLDFAST_INVALID_ID'),
    );
    await expect(store.trim({ runId: 'run', floor: 0 })).rejects.toThrow(code('HOLDFAST_STORE_CONTRACT'));
  });

  test('rejects with a code and the cause when the driver fails, and works on', async () => {
    const { store } = failingMemory({ plan: scriptedFaults({ runs: ['lost-request', 'none'] }) });
    for (const injected of ['lost-request', 'none']) {
      await expect(store.header('run')).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_FAILED',
        cause: { message: `injected: ${injected} in runs` },
      });
    }
    expect(await store.header('run')).toBeUndefined();
  });

  test('finds a record that the driver left out', async () => {
    const { store } = failingMemory({
      change: (inside) => ({ records: async (query) => (await inside.records(query)).filter(({ seq }) => seq !== 2) }),
    });
    await create(store, 'run', { entries: notes(3) });
    for (const order of ['oldest', 'newest'] as const) {
      await expect(store.records({ runId: 'run', order, limit: 9 })).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        details: { where: 'run@2', runId: 'run', seq: 2 },
      });
    }
  });

  test("finds another run's record in the place of one's own", async () => {
    const { store } = failingMemory({
      change: (inside) => ({ records: (query) => inside.records({ ...query, runId: 'other' }) }),
    });
    await create(store, 'run');
    await create(store, 'other');
    await expect(store.records(one)).rejects.toThrow(code('HOLDFAST_CORRUPT'));
  });

  test('shows a corrupt snapshot beside the others', async () => {
    const { store } = failingMemory({
      change: (inside) => ({
        snapshots: async (query) =>
          (await inside.snapshots(query)).map((found) =>
            found.seq === 2 ? { ...found, head: { text: 'j1', crc: 0 } } : found,
          ),
      }),
    });
    await create(store, 'run', { kind: 'journal', snapshot: snapshotOf(1) });
    await commit(store, {
      ...externalWriteOf('run', { expect: 1, snapshot: snapshotOf(1) }),
      writer: { by: 'journal' },
    });
    const found = await store.snapshots({ runId: 'run', limit: 9, bodies: true });
    expect(found.map(({ ok, seq }) => [ok, seq])).toEqual([
      [false, 2],
      [true, 1],
    ]);
  });
});

describe('runs()', () => {
  const corrupt = holdfastError('HOLDFAST_CORRUPT', 'The header of b is corrupt.');
  const change = (inside: MemoryDriver): Partial<StoreDriver> => ({
    runs: async (query) => ({ ...(await inside.runs(query)), corrupt: [corrupt] }),
  });

  test('rejects with the first corrupt header', async () => {
    const { store } = failingMemory({ change });
    await create(store, 'a');
    await expect(store.runs({ order: 'oldest', limit: 9 })).rejects.toBe(corrupt);
    await expect(store.header('a')).rejects.toBe(corrupt);
  });

  test('reports corrupt headers to onCorrupt, and returns the others', async () => {
    const { store } = failingMemory({ change });
    await create(store, 'a');
    const told: unknown[] = [];
    const found = await store.runs({ order: 'oldest', limit: 9 }, { onCorrupt: (error) => told.push(error) });
    expect(found.map(({ runId }) => runId)).toEqual(['a']);
    expect(told).toEqual([corrupt]);
  });
});

describe('abort', () => {
  const reason = new Error('enough');

  test('rejects with the reason, before the driver is asked', async () => {
    const { store } = failingMemory({ plan: () => 'none' });
    const options = { signal: AbortSignal.abort(reason) };
    await expect(store.header('run', options)).rejects.toBe(reason);
    await expect(store.records(one, options)).rejects.toBe(reason);
    await expect(store.snapshots({ runId: 'run', limit: 1, bodies: true }, options)).rejects.toBe(reason);
    await expect(store.runs({ order: 'oldest', limit: 1 }, options)).rejects.toBe(reason);
  });

  test('rejects with the reason while the driver works, whatever becomes of that', async () => {
    const { store } = failingMemory({ change: () => ({ runs: () => new Promise(() => {}) }) });
    const controller = new AbortController();
    const asked = store.header('run', { signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  test('leaves an answer alone that came in time', async () => {
    const { store } = failingMemory();
    await create(store, 'run');
    expect(await store.header('run', { signal: new AbortController().signal })).toMatchObject({ runId: 'run' });
  });
});

describe('close()', () => {
  test('refuses everything afterwards, and closing again is the same close', async () => {
    let closes = 0;
    const { store } = failingMemory({ change: () => ({ close: async () => void (closes += 1) }) });
    await Promise.all([store.close(), store.close()]);
    expect(closes).toBe(1);
    expect(new Set(await outcomesOf(store))).toEqual(new Set(['HOLDFAST_STORE_CLOSED']));
  });

  test('waits for commits and reads in flight', async () => {
    const log: string[] = [];
    const { store } = failingMemory({
      change: (inside) => ({
        commit: async (batches) => {
          await new Promise(setImmediate);
          log.push('commit');
          return inside.commit(batches);
        },
        runs: async (query) => {
          await new Promise(setImmediate);
          await new Promise(setImmediate);
          log.push('runs');
          return inside.runs(query);
        },
        close: async () => void log.push('close'),
      }),
    });
    const under = [store.commit(creationOf('a')), store.commit(creationOf('b')), store.header('a')];
    await store.close();
    await Promise.all(under);
    expect(log.at(-1)).toBe('close');
    expect(log).toHaveLength(3);
  });

  test('rejects with a code when the driver cannot close', async () => {
    await expect(failingMemory({ plan: () => 'lost-request' }).store.close()).rejects.toThrow(
      code('HOLDFAST_STORE_FAILED'),
    );
    await expect(failingMemory({ plan: () => 'none' }).store.close()).rejects.toThrow(code('HOLDFAST_STORE_FAILED'));
  });
});

describe('poison', () => {
  test.each<[string, FaultPlan, string]>([
    ['a commit', scriptedFaults({ commit: ['poison-lost-answer'] }), 'HOLDFAST_IN_DOUBT'],
    ['a commit without effect', scriptedFaults({ commit: ['poison'] }), 'HOLDFAST_STORE_FAILED'],
  ])('refuses everything after %s that poisons, until it is closed', async (_, plan, first) => {
    const { store, inside } = failingMemory({ plan });
    await expect(store.commit(creationOf('run'))).rejects.toThrow(code(first));
    expect(new Set(await outcomesOf(store))).toEqual(new Set(['HOLDFAST_STORE_POISONED']));
    await store.close();
    const again = new CheckedStore(inside, nodeEnv);
    expect((await again.commit(creationOf('other'))).ok).toBe(true);
  });

  test('refuses everything after a read that poisons', async () => {
    const { store } = failingMemory({ plan: scriptedFaults({ records: ['poison'] }) });
    await expect(store.records(one)).rejects.toThrow(code('HOLDFAST_STORE_FAILED'));
    expect(new Set(await outcomesOf(store))).toEqual(new Set(['HOLDFAST_STORE_POISONED']));
  });

  test('refuses the commits that waited behind one that poisons', async () => {
    const { store } = failingMemory({
      plan: scriptedFaults({ commit: ['poison'] }),
    });
    const commits = [externalWriteOf('run', { expect: 1 }), externalWriteOf('run', { expect: 2 })].map((each) =>
      store.commit(each),
    );
    const settled = await Promise.allSettled(commits);
    expect(settled).toMatchObject([
      { reason: { code: 'HOLDFAST_STORE_FAILED' } },
      { reason: { code: 'HOLDFAST_STORE_POISONED', cause: { message: 'injected: poison in commit' } } },
    ]);
  });
});

describe('with encryption', () => {
  test('reads plain and encrypted records side by side, and needs the key only for the latter', async () => {
    const { store, inside } = failingMemory();
    await store.commit(creationOf('run', { entries: notes(1) }));
    const keyring = new Keyring([{ id: 'k', key: new Uint8Array(32) }]);
    const encrypted = new CheckedStore(inside, nodeEnv, { keyring });
    await encrypted.commit(externalWriteOf('run', { expect: 1, entries: [note('hidden')] }));
    const all = { ...one, limit: 9 };
    expect((await encrypted.records(all)).map(({ payload }) => payload)).toEqual([expect.anything(), 'hidden']);
    expect(await store.records(one)).toHaveLength(1);
    await expect(store.records(all)).rejects.toThrow(code('HOLDFAST_MISSING_KEY'));
    expect(await store.records(all, { closedIsFine: true })).toMatchObject([{}, { kind: 'note', payload: undefined }]);
    expect(await encrypted.records(all, { closedIsFine: true })).toMatchObject([{}, { payload: 'hidden' }]);
  });
});
