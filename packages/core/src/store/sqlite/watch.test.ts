import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimDue, create, live } from '../../testing/contract/given.ts';
import { inDirectory, openAt, stillEnv } from '../../testing/sqlite/sqlite-places.ts';
import { Watcher } from './watch.ts';

async function tick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('watch()', () => {
  test('tells of commits of this connection at once, and of others soon', async () => {
    await inDirectory(async (directory) => {
      const { env, clock } = stillEnv();
      const path = join(directory, 'store.db');
      const one = await openAt(path, env);
      const other = await openAt(path, env);
      const hints: unknown[] = [];
      const stop = one.store.watch((hint) => hints.push(hint));
      const mine = { runId: 'mine', head: 1 };
      await create(one.store, 'mine');
      await tick();
      expect(hints).toEqual([mine]);
      await create(other.store, 'theirs');
      await tick();
      expect(hints).toEqual([mine]);
      await clock.advance(60);
      expect(hints).toEqual([mine, undefined]);
      await clock.advance(1_000);
      expect(hints).toEqual([mine, undefined]);
      stop();
      await create(other.store, 'more');
      await clock.advance(60);
      expect(hints).toEqual([mine, undefined]);
      for (const { store } of [one, other]) await store.close();
    });
  });

  test('tells of runs that another connection released, and of no heartbeat', async () => {
    await inDirectory(async (directory) => {
      const { env, clock } = stillEnv();
      const path = join(directory, 'store.db');
      const one = await openAt(path, env);
      const other = await openAt(path, env);
      let hints = 0;
      const stop = one.store.watch(() => (hints += 1));
      await live(other.store, 'worker');
      await claimDue(other.store, 'worker');
      await clock.advance(60);
      expect(hints).toBe(0);
      await other.store.claim({ type: 'release', worker: 'worker' });
      await clock.advance(60);
      expect(hints).toBe(1);
      stop();
      for (const { store } of [one, other]) await store.close();
    });
  });

  test('asks nobody while nobody listens', async () => {
    const { env, clock } = stillEnv();
    let asked = 0;
    const watcher = new Watcher({ env, version: () => (asked += 1) });
    await clock.advance(1_000);
    expect(asked).toBe(0);
    const stops = [watcher.add(() => {}), watcher.add(() => {})];
    await clock.advance(1_000);
    expect(asked).toBeGreaterThan(10);
    for (const stop of stops) stop();
    const before = asked;
    await clock.advance(1_000);
    expect(asked).toBe(before);
  });

  test('continues when it cannot ask', async () => {
    const { env, clock } = stillEnv();
    let broken = true;
    let hints = 0;
    const version = (): number => {
      if (broken) throw new Error('busy');
      return 1;
    };
    const watcher = new Watcher({ env, version });
    watcher.add(() => (hints += 1));
    await clock.advance(200);
    expect(hints).toBe(0);
    broken = false;
    await clock.advance(200);
    expect(hints).toBe(1);
    watcher.close();
    watcher.tell([undefined]);
    await tick();
    expect(hints).toBe(1);
  });
});
