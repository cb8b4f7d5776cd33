import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { memoryStore } from '../../store/memory/open.ts';
import { openStore } from '../../store/store.ts';
import { create, creationOf, idsOf } from '../contract/given.ts';
import { type FaultKind, type FaultyMethod, scriptedFaults, seededFaults } from './fault-plan.ts';
import { faultyStore } from './faulty-store.ts';

describe('faultyStore()', () => {
  test('does what the store inside does where nothing is planned', async () => {
    const inside = memoryStore();
    const store = await openStore(
      faultyStore(inside, () => undefined),
      nodeEnv,
    );
    const hints: unknown[] = [];
    const stop = store.watch((runId) => hints.push(runId));
    await create(store, 'run');
    stop();
    expect(hints).toEqual(['run']);
    expect(store.capabilities).toEqual({ reopens: true, groups: false, shared: true, keepsGiven: true });
    expect(await store.snapshots({ runId: 'run', limit: 1, bodies: true })).toEqual([]);
    expect(await store.records({ runId: 'run', order: 'oldest', limit: 1 })).toHaveLength(1);
    expect(await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 1 })).toEqual({ claimed: [], alive: false });
    await store.close();
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(['run']);
  });

  test.each<[FaultKind, boolean]>([
    ['none', false],
    ['lost-request', false],
    ['poison', false],
    ['lost-answer', true],
    ['poison-lost-answer', true],
  ])('fails with %s; the effect is there: %s', async (kind, isThere) => {
    const inside = memoryStore();
    const store = await openStore(faultyStore(inside, scriptedFaults({ commit: [kind], runs: ['none'] })), nodeEnv);
    await expect(store.commit(creationOf('run'))).rejects.toThrow(/HOLDFAST|injected|store|commit/i);
    expect(await idsOf(await openStore(inside, nodeEnv))).toEqual(isThere ? ['run'] : []);
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
