import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { creationOf } from '../../testing/contract/given.ts';
import { scriptedFaults } from '../../testing/fault/fault-plan.ts';
import { FaultyDriver } from '../../testing/fault/faulty-driver.ts';
import { CheckedStore } from '../checked-store.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { MemoryDriver } from '../memory/driver.ts';
import { MemoryPlace } from '../memory/memory-place.ts';

const code = (code: string): unknown => expect.objectContaining({ code });

/** A store that is opened again after it has failed, the first times in vain. */
function setUpReopening(failures: readonly string[]) {
  const disk = new MemoryPlace();
  const opened: StoreDriver[] = [];
  const warnings: string[] = [];
  const waits: number[] = [];
  const env = {
    ...nodeEnv,
    warn: (text: string) => void warnings.push(text),
    clock: {
      ...nodeEnv.clock,
      sleep: async (ms: number, signal?: AbortSignal) => {
        waits.push(ms);
        return nodeEnv.clock.sleep(1, signal);
      },
    },
  };
  const plan = scriptedFaults({ commit: ['poison'] });
  const open = async (): Promise<StoreDriver> => {
    const failure = failures[opened.length];
    opened.push(new MemoryDriver(disk, env));
    if (failure !== undefined) throw new Error(failure);
    return opened.at(-1) as StoreDriver;
  };
  const store = new CheckedStore(new FaultyDriver(new MemoryDriver(disk, env), plan, env), env, { reopen: open });
  return { store, opened, warnings, waits };
}

describe('a store that cannot be trusted any more', () => {
  test('is opened again until that works, and tells those who watch', async () => {
    const { store, opened, warnings, waits } = setUpReopening(['still broken', 'still broken']);
    const hints: unknown[] = [];
    const stop = store.watch((hint) => hints.push(hint));
    await expect(store.commit(creationOf('run'))).rejects.toThrow(code('HOLDFAST_STORE_FAILED'));
    await expect(store.header('run')).rejects.toThrow(
      expect.objectContaining({ code: 'HOLDFAST_STORE_POISONED', message: expect.stringContaining('try again later') }),
    );
    await expect.poll(() => opened.length).toBe(3);
    await expect.poll(() => hints).toEqual([undefined]);
    expect((await store.commit(creationOf('run'))).ok).toBe(true);
    expect(hints).toEqual([undefined, { runId: 'run', head: 1, notDue: true }]);
    stop();
    await store.commit(creationOf('other'));
    expect(hints).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('still broken')]);
    expect(waits).toHaveLength(3);
    expect(waits[2]).toBeGreaterThan(waits[0] ?? 0);
    await store.close();
  });

  test('is not opened again once it is closed', async () => {
    const { store, opened } = setUpReopening(Array.from({ length: 1_000 }, () => 'still broken'));
    await expect(store.commit(creationOf('run'))).rejects.toThrow(code('HOLDFAST_STORE_FAILED'));
    await expect.poll(() => opened.length).toBeGreaterThan(1);
    await store.close();
    const tries = opened.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(opened).toHaveLength(tries);
  });
});
