import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import { commit, create, creationOf, externalWriteOf, idsOf } from '../../testing/contract/given.ts';
import { virtualClock } from '../../testing/virtual-clock.ts';
import type { Batch } from '../contract/commit.ts';
import { openStore } from '../store.ts';
import { MemoryDriver } from './driver.ts';
import { MemoryPlace } from './memory-place.ts';
import { memoryStore } from './open.ts';

describe('memoryStore()', () => {
  test('outlives those who open it', async () => {
    const store = memoryStore();
    const first = await openStore(store, nodeEnv);
    await create(first, 'run');
    await first.close();
    expect(await idsOf(await openStore(store, nodeEnv))).toEqual(['run']);
    expect(await idsOf(await openStore(memoryStore(), nodeEnv))).toEqual([]);
  });

  test('tells every listener of every open driver at once', async () => {
    const store = memoryStore();
    const [first, second] = [await openStore(store, nodeEnv), await openStore(store, nodeEnv)];
    const hints: unknown[] = [];
    first.watch((hint) => hints.push(hint));
    const stop = second.watch((hint) => hints.push(hint));
    await create(first, 'run');
    stop();
    await commit(second, externalWriteOf('run', { expect: 1 }));
    expect(hints).toEqual([1, 1, 2].map((head) => ({ runId: 'run', head, notDue: true })));
    await first.close();
    await create(second, 'other');
    expect(hints).toHaveLength(3);
  });
});

const creation = (runId: string): Batch => batchOf(creationOf(runId), { token: runId });

describe('MemoryDriver', () => {
  test('forgets the epochs of absent runs after a day', async () => {
    const clock = virtualClock();
    const place = new MemoryPlace();
    const driver = new MemoryDriver(place, { ...nodeEnv, clock });
    await driver.resolveDoubt(creation('first'));
    await clock.advance('25h');
    await driver.resolveDoubt(creation('second'));
    expect([...place.voids.keys()]).toEqual(['second']);
  });

  test('grants a duty again after its clock was set back', async () => {
    const clock = { ...nodeEnv.clock, now: () => nowMs };
    let nowMs = 1_000_000;
    const driver = new MemoryDriver(new MemoryPlace(), { ...nodeEnv, clock });
    const duty = { type: 'duty', worker: 'w', name: 'sweep', everyMs: 1_000 } as const;
    expect((await driver.claim(duty)).granted).toBe(true);
    nowMs = 5;
    expect((await driver.claim(duty)).granted).toBe(true);
    expect((await driver.claim(duty)).granted).toBe(false);
  });
});
