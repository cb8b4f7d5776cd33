import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { CheckedStore } from './checked-store.ts';
import { MemoryDriver } from './memory/driver.ts';
import { MemoryPlace } from './memory/memory-place.ts';
import { defineStore, openDriver, openStore, type Store } from './store.ts';

describe('defineStore()', () => {
  test('makes a value that shows nothing and opens with the Env it is given', async () => {
    const opened: unknown[] = [];
    const store = defineStore(async (env) => {
      opened.push(env);
      return new MemoryDriver(new MemoryPlace(), env);
    });
    expect(Object.keys(store)).toEqual([]);
    expect(Object.isFrozen(store)).toBe(true);
    expect(await openStore(store, nodeEnv)).toBeInstanceOf(CheckedStore);
    expect(await openDriver(store, nodeEnv)).toBeInstanceOf(MemoryDriver);
    expect(opened).toEqual([nodeEnv, nodeEnv]);
  });

  test('passes on what opening fails with', async () => {
    const store = defineStore(() => Promise.reject(new Error('locked')));
    await expect(openStore(store, nodeEnv)).rejects.toThrow('locked');
  });
});

describe('openStore()', () => {
  test.each([{}, null, undefined, 'memory:', 7])('refuses what defineStore did not make: %o', async (value) => {
    await expect(openStore(value as Store, nodeEnv)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });
});
