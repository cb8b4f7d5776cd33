// What a message costs does not depend on how many others there are: work is counted, not timed.
import { type Store, workflow } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { placeOn, storesOf } from './every-place.ts';

const none = z.object({});
const yes = { show: z.string(), answer: z.boolean() };

/** A store that counts the records it hands out. */
function countingReads(inside: Store): { readonly store: Store; readonly read: () => number } {
  let read = 0;
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      load: async (query) => {
        const run = await driver.load(query);
        read += run?.records.length ?? 0;
        return run;
      },
      records: async (query) => {
        const records = await driver.records(query);
        read += records.length;
        return records;
      },
    });
  });
  return { store, read: () => read };
}

describe.each(storesOf())('messages on $name', ({ create }) => {
  test('are sent without reading those that wait', async () => {
    const counted = countingReads(create());
    const engine = await placeOn(counted.store).open();
    const flow = workflow('flow', { input: none, asks: { go: yes }, receives: { item: z.number() } }, async (_, c) => {
      await c.ask('go', 'Go?');
      return c.receive('item');
    });
    const run = await engine.start(flow, {});
    await run.outcome();
    const before = counted.read();
    for (let sent = 0; sent < 50; sent += 1) await run.send('item', sent, { id: `m${sent}` });
    expect(counted.read() - before).toBe(0);
    await run.answer('go', true);
    expect(await run.result()).toBe(0);
  });

  test('that wait are taken one after another, without starting the body again', async () => {
    const engine = await placeOn(create()).open();
    let starts = 0;
    const flow = workflow('flow', { input: none, asks: { go: yes }, receives: { item: z.number() } }, async (_, c) => {
      starts += 1;
      await c.ask('go', 'Go?');
      let sum = 0;
      for (let taken = 0; taken < 20; taken += 1) sum += await c.receive('item');
      return sum;
    });
    const run = await engine.start(flow, {});
    await run.outcome();
    for (let sent = 0; sent < 20; sent += 1) await run.send('item', sent);
    await run.answer('go', true);
    expect(await run.result()).toBe(190);
    expect(starts).toBe(2);
  });

  test('are kept for a turn that was asked for after the run had completed', async () => {
    const engine = await placeOn(create()).open();
    const flow = workflow('flow', { input: none, receives: { item: z.number() } }, (_, c) => c.receive('item'));
    const run = await engine.start(flow, {}, { id: 'r', turn: 'one' });
    await run.outcome();
    await run.send('item', 1);
    expect(await run.result()).toBe(1);
    await expect(run.send('item', 2)).rejects.toMatchObject({ code: 'HOLDFAST_RUN_ENDED' });
    const next = await engine.submit(flow, {}, { id: 'r', turn: 'two' });
    await next.send('item', 2);
    await engine.recover();
    expect(await next.result()).toBe(2);
  });
});
