import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create, creationOf, idsOf } from '../../testing/contract/given.ts';
import { batchOf } from '../../testing/contract/seal-batch.ts';
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
    const hints: (string | undefined)[] = [];
    first.watch((runId) => hints.push(runId));
    const stop = second.watch((runId) => hints.push(runId));
    await create(first, 'run');
    stop();
    await first.trim({ runId: 'run', dryRun: true });
    await first.trim({ runId: 'nobody', remove: true });
    expect(hints).toEqual(['run', 'run', 'run']);
    await first.close();
    await create(second, 'other');
    expect(hints).toHaveLength(3);
  });
});

describe('MemoryDriver', () => {
  test('lets the event loop turn when commits go on for 10 ms', async () => {
    let nowMs = 0;
    let turns = 0;
    const nextTick = (callback: () => void): void => {
      turns += 1;
      setImmediate(callback);
    };
    const driver = new MemoryDriver(new MemoryPlace(), { ...nodeEnv, monotonicMs: () => nowMs, nextTick });
    for (let at = 0; at < 40; at += 1) {
      await driver.commit([batchOf(creationOf(`run-${at}`), { token: `${at}` })]);
      nowMs += 1;
    }
    expect(turns).toBe(3);
  });
});
