import { join } from 'node:path';
import { expect, test } from 'vitest';
import { live } from '../../../testing/contract/given.ts';
import { virtualHost } from '../../../testing/file/virtual-machine.ts';
import { inDirectory, openAt, stillEnv } from '../../../testing/sqlite/sqlite-places.ts';

test('a death is a hint, once, and a process that continues is none', async () => {
  await inDirectory(async (directory) => {
    const begin = virtualHost({ isCertain: true });
    const { env, clock } = stillEnv();
    const path = join(directory, 'store.db');
    const here = await openAt(path, { ...env, machine: begin() });
    const mortal = begin();
    const others = [mortal, begin()].map((machine) => openAt(path, { ...env, machine }));
    for (const [at, { store }] of (await Promise.all(others)).entries()) await live(store, `worker-${at}`);
    const hints: unknown[] = [];
    here.driver.watch((hint) => hints.push(hint));
    await clock.advance(1_000);
    expect(hints).toEqual([]);
    mortal.die();
    await clock.advance(1_000);
    expect(hints).toEqual([undefined]);
    await clock.advance(10_000);
    expect(hints).toEqual([undefined]);
    for (const { store } of [here, ...(await Promise.all(others))]) await store.close();
  });
});
