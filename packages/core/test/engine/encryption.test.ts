import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  channel,
  type Encryption,
  type Engine,
  type EngineOptions,
  graph,
  list,
  openAgent,
  openEngine,
  workflow,
} from 'holdfast';
import { defineStore, type StoreDriver, type StoredRecord } from 'holdfast/store';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { checksum } from '../../src/value/hash/checksum.ts';
import { all, describeEverywhere, memoryPlace, type Place, placeOn } from './every-place.ts';

const november = { id: '2026-11', key: new Uint8Array(32).fill(11) };
const december = { id: '2026-12', key: new Uint8Array(32).fill(12) };
const encryption: Encryption = { keys: [november] };

/** What nobody without the key may see: a word that is in every text a user gives. */
const word = 'OPENSESAME';
const secret = (what: string): string => `${word} ${what}`;

const visits = graph('visits', {
  state: { who: z.string(), seen: list<unknown>(), code: channel<string>(), note: channel<string>() },
  asks: { door: { show: z.string(), answer: z.string() } },
  receives: { parcel: z.string() },
  emits: z.string(),
})
  .node('greet', async ({ state, step, emit, log }) => {
    emit(secret('emit'));
    log(secret('log'), { more: secret('data') });
    return { seen: await step('look', () => [secret('result'), state.who]) };
  })
  .node('enter', async ({ ask, receive }) => ({
    code: await ask('door', secret('show')),
    note: await receive('parcel'),
  }))
  .node('fall', () => Promise.reject(new Error(secret('error'))))
  .edge('start', 'greet')
  .edge('greet', 'enter')
  .edge('enter', 'fall')
  .edge('fall', 'end')
  .compile();

/** Writes something to every part of a store that a user's words can reach. */
async function writeEverything(engine: Engine): Promise<void> {
  const run = await engine.start(visits, { who: secret('input') }, { id: 'visit', tags: { readable: 'tag' } });
  await run.outcome();
  await engine.journal.append('visit', {
    payload: secret('note'),
    meta: { why: secret('meta') },
    labels: ['readable-tag'],
  });
  await run.answer('door', secret('answer'));
  await run.send('parcel', secret('message'));
  expect(await run.outcome()).toMatchObject({ status: 'failed' });
  const at = (await all(run.history())).at(-1)?.id;
  const fork = await run.fork({ id: 'fork', at, set: { who: secret('set') }, label: secret('label') });
  await fork.cancel(secret('reason'));
  await engine.prune({ runId: 'visit', keep: 1 });
  await engine.journal.append('loop', { id: 'chosen', payload: secret('payload'), meta: { m: secret('meta') } });
  for (const step of [1, 2, 3]) {
    const metadata = { reason: secret('why'), custom: secret('custom') };
    await engine.checkpoints.save('loop', {
      state: { kept: secret('state') },
      superstep: step,
      label: secret('label'),
      metadata,
    });
  }
  await engine.checkpoints.fork('loop@2', { id: 'loop-fork', set: { kept: secret('edit') } });
  const agent = await openAgent(engine, { id: 'agent', initial: { mood: secret('mood') } });
  await agent.checkpoint(secret('because'));
  await agent.shutdown();
}

/** All that is stored, as bytes: the real files, or what a driver in memory holds. */
async function bytesOf({ store, folder }: Place): Promise<Buffer> {
  if (folder !== undefined) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
  }
  const driver = await openDriver(store, nodeEnv);
  const { headers: runs } = await driver.runs({ order: 'oldest', limit: 99 });
  const parts = runs.map(async ({ runId }) => [
    await driver.records({ runId, order: 'oldest', limit: 999 }),
    await driver.snapshots({ runId, limit: 999, bodies: true }),
  ]);
  return Buffer.from(JSON.stringify([runs, await Promise.all(parts)]));
}

async function closed(place: Place, options: EngineOptions, write: (engine: Engine) => Promise<void>): Promise<void> {
  await using engine = await openEngine(place.store, options);
  await write(engine);
}

const sampler = workflow('sampler', { input: z.custom<unknown>() }, async (input, { step }) => [
  input,
  await step('again', () => input),
]);

const everyType = {
  json: JSON.parse('{"a":[1,"two",null,true],"__proto__":{"own":1}}') as unknown,
  date: new Date(5),
  big: 12n ** 30n,
  map: new Map<unknown, unknown>([[{ k: 1 }, new Set([1])]]),
  bytes: new Uint8Array([0, 255]),
  numbers: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0],
  lone: '\ud800 \u0000 🚀',
  tagLike: { $date: 'no', secret: { key: 'k', data: 'd' } },
  list: [undefined, undefined],
};

describeEverywhere('encryption', (place) => {
  test('leaves nothing of what users wrote in the store, and ids, tags and names readable', async () => {
    const hidden = place();
    await closed(hidden, { encryption }, writeEverything);
    const bytes = await bytesOf(hidden);
    expect(bytes.includes(word)).toBe(false);
    for (const readable of ['visit', 'readable', 'readable-tag', 'chosen', 'loop-fork', '2026-11']) {
      expect(bytes.includes(readable), readable).toBe(true);
    }
    const plain = place();
    await closed(plain, {}, writeEverything);
    expect((await bytesOf(plain)).includes(word)).toBe(true);
  });

  test('gives back every kind of value as it was, also to another process', async () => {
    const { open } = place();
    const first = await open({ encryption, graphs: [sampler] });
    await (await first.start(sampler, everyType, { id: 's' })).result();
    await first.checkpoints.save('loop', { state: everyType });
    await first.close();
    const second = await open({ encryption: { keys: [december, november] } });
    expect(await (await second.get(sampler, 's')).result()).toEqual([everyType, everyType]);
    expect((await second.checkpoints.latest('loop'))?.state).toEqual(everyType);
  });

  test('writes with the first key, reads with all, and needs those that wrote', async () => {
    const { open } = place();
    const note = async (payload: string, keys: readonly (typeof november)[]): Promise<void> => {
      const engine = await open(keys.length === 0 ? {} : { encryption: { keys } });
      await engine.journal.append('r', { payload });
      await engine.close();
    };
    // Switched on, rotated, switched off.
    await note('plain', []);
    await note('old', [november]);
    await note('new', [december, november]);
    await note('off', []);
    const both = await open({ encryption: { keys: [december, november] } });
    expect((await both.journal.tail('r', 9)).map(({ payload }) => payload)).toEqual(['plain', 'old', 'new', 'off']);
    await both.close();
    const onlyNew = await open({ encryption: { keys: [december] } });
    await expect(onlyNew.journal.tail('r', 9)).rejects.toMatchObject({
      code: 'HOLDFAST_MISSING_KEY',
      details: { key: '2026-11', where: 'r@2' },
    });
    await onlyNew.close();
    const wrong = await open({ encryption: { keys: [december, { ...november, key: december.key }] } });
    await expect(wrong.journal.tail('r', 9)).rejects.toMatchObject({
      code: 'HOLDFAST_WRONG_KEY',
      details: { key: '2026-11', where: 'r@2' },
    });
  });

  test('is verified without a key', async () => {
    const { open } = place();
    const writer = await open({ encryption });
    await writeEverything(writer);
    const known = await writer.verify();
    expect(known).toMatchObject({ ok: true, corruption: [] });
    await writer.close();
    const keyless = await open();
    expect(await keyless.verify()).toEqual(known);
    await keyless.close();
    const wrong = await open({ encryption: { keys: [{ ...november, key: december.key }] } });
    const report = await wrong.verify();
    expect(report.ok).toBe(false);
    expect(report.corruption.map(({ where }) => where)).toContain('fork@2');
  });

  test('never takes a missing key for a missing checkpoint', async () => {
    const { open } = place();
    const writer = await open({ encryption });
    await writer.checkpoints.save('loop', { state: { a: 1 } });
    await writer.close();
    const keyless = await open();
    const missing = expect.objectContaining({ code: 'HOLDFAST_MISSING_KEY' });
    await expect(keyless.checkpoints.latest('loop')).rejects.toThrow(missing);
    await expect(openAgent(keyless, { id: 'loop', initial: {} })).rejects.toThrow(missing);
  });
});

const go = { show: z.string(), answer: z.string() };
const waiter = workflow('waiter', { input: z.string(), asks: { go } }, async (input, { ask }) => [
  input,
  await ask('go', 'now?'),
]);

describe('a worker without the key', () => {
  test('leaves the run alone, however often it takes it up', async () => {
    const { open } = memoryPlace();
    let now = 1_000_000;
    const clock = { now: () => now, sleep: () => new Promise<never>(() => {}) };
    const writer = await open({ encryption, graphs: [waiter], clock });
    const run = await writer.start(waiter, 'in', { id: 'w' });
    await run.outcome();
    await writer.close();
    const web = await open({ executes: false, encryption, clock });
    await (await web.get(waiter, 'w')).answer('go', 'yes');
    for (let round = 0; round < 8; round += 1) {
      const keyless = await open({ graphs: [waiter], clock });
      await keyless.recover();
      await keyless.close();
      now += 61_000;
    }
    const keyed = await open({ graphs: [waiter], encryption, clock });
    expect(await keyed.recover()).toBe(1);
    expect(await (await keyed.get(waiter, 'w')).result()).toEqual(['in', 'yes']);
  });
});

/** A store whose records are changed on their way to the reader, under checksums that are right. */
function tampered(place: Place, change: (records: readonly StoredRecord[]) => readonly StoredRecord[]): Place {
  return placeOn(
    defineStore(async (env) => {
      const driver = await openDriver(place.store, env);
      const records: StoreDriver['records'] = async (query) =>
        change(await driver.records(query)).map((record) => ({
          ...record,
          crc: checksum(`${query.runId}@${record.seq}`, record.text),
        }));
      return withCalls(driver, { records });
    }),
  );
}

async function written(): Promise<Place> {
  const place = placeOn(memoryStore());
  const engine = await place.open({ encryption });
  for (const payload of ['first', 'second']) await engine.journal.append('r', { payload, labels: ['t'] });
  return place;
}

const swapped = (records: readonly StoredRecord[]): readonly StoredRecord[] =>
  records.map((record, at) => ({ ...record, text: (records[1 - at] ?? record).text }));
const flipped = (records: readonly StoredRecord[]): readonly StoredRecord[] =>
  records.map((record) => {
    const at = record.text.length - 40;
    const other = record.text[at] === 'A' ? 'B' : 'A';
    return { ...record, text: record.text.slice(0, at) + other + record.text.slice(at + 1) };
  });
const retagged = (records: readonly StoredRecord[]): readonly StoredRecord[] =>
  records.map((record) => ({ ...record, text: record.text.replace('["t"]', '["u"]') }));

describe('somebody who writes to the store, checksums and all', () => {
  test.each([
    ['swaps records', swapped],
    ['changes a byte', flipped],
    ['changes what can be read', retagged],
  ])('is found out when he %s', async (_, change) => {
    const engine = await tampered(await written(), change).open({ encryption });
    await expect(engine.journal.tail('r', 9)).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: expect.stringMatching(/^r@[12]$/), key: '2026-11' },
    });
    const { ok, corruption } = await engine.verify();
    expect([ok, corruption[0]?.where]).toEqual([false, 'r@1']);
  });

  test('is not, when he changes nothing', async () => {
    const engine = await tampered(await written(), (records) => records).open({ encryption });
    expect(await engine.journal.tail('r', 9)).toHaveLength(2);
  });
});

describe('openEngine()', () => {
  test('refuses keys that are none before it touches the store', async () => {
    let opened = 0;
    const store = defineStore(async () => {
      opened += 1;
      throw new Error('must not be opened');
    });
    const short = { keys: [{ id: 'a', key: new Uint8Array(16) }] };
    await expect(openEngine(store, { encryption: short })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    expect(opened).toBe(0);
  });
});
