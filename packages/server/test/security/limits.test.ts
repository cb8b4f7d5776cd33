// Limits: headers, URLs, slow requests, and the size of what is answered.
import { expect, test } from 'vitest';
import { testEverywhere } from '../every-store.ts';
import { refunds, served } from '../fixture.ts';
import { raw, request } from '../raw-request.ts';

test('refuses headers that are too large with 431, and long URLs with 414', async () => {
  const here = await served();
  expect(await request(here, 'GET /api/v1/runs', { cookie: 'x'.repeat(20_000) })).toMatch(/^HTTP\/1\.1 431 /u);
  expect((await here.ask('GET', `/runs?q=${'x'.repeat(9_000)}`)).status).toBe(414);
});

test('refuses slow requests: the connection is dropped', async () => {
  const here = await served({ limits: { bodyMs: 300 } });
  const slow = { 'content-type': 'application/json', 'content-length': '100' };
  expect(await request(here, 'POST /api/v1/runs', slow, '{"graph"')).toMatch(/^HTTP\/1\.1 408 /u);
  expect(await raw(here.server.port, 'GET /api/v1/runs HTTP/1.1\r\nHost: 127')).toMatch(/^(?:HTTP\/1\.1 408 |$)/u);
});

test('answers too large a state with 413 unless it is asked for by path', async () => {
  const here = await served({ limits: { stateLength: 1_000 } });
  await here.engine.start(refunds, { order: 'x'.repeat(2_000), cents: 1 }, { id: 'r' }).outcome();
  expect((await here.ask('GET', '/runs/r/state?as=json')).status).toBe(413);
  expect((await here.ask('GET', '/runs/r/state?path=/order')).status).toBe(200);
});

test('the limits of a server are its own, for the headers too', async () => {
  const here = await served({ limits: { headerLength: 2_000, urlLength: 200 } });
  expect(await request(here, 'GET /api/v1/runs', { cookie: 'x'.repeat(3_000) })).toMatch(/^HTTP\/1\.1 431 /u);
  expect((await here.ask('GET', `/runs?q=${'x'.repeat(300)}`)).status).toBe(414);
});

testEverywhere('a page holds so many characters, and at least one item, however many are asked for', async () => {
  const here = await served({ limits: { pageLength: 5_000 } });
  for (let at = 0; at < 10; at += 1) await here.engine.journal.append('loop', { payload: `${at}`.repeat(1_000) });
  await here.engine.journal.append('loop', { payload: 'x'.repeat(20_000) });
  await here.engine.journal.append('loop', { payload: 'end' });
  const seen: number[] = [];
  let pages = 0;
  for (let after: number | null = 0; after !== null; pages += 1) {
    const { body } = await here.ask('GET', `/runs/loop/journal?limit=1000&after=${after}`);
    const { records, next } = body as { records: { seq: number }[]; next: number | null };
    expect(records.length).toBeGreaterThan(0);
    seen.push(...records.map(({ seq }) => seq));
    after = next;
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(pages).toBeGreaterThanOrEqual(4);
  const { body: last } = await here.ask('GET', '/runs/loop/journal?tail=1000');
  expect((last as { records: { seq: number }[] }).records.map(({ seq }) => seq)).toEqual([12]);
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  const log = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(1_000));
  await here.engine.get('r').fork({ id: 'f', set: { log } });
  let changed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const { body } = await here.ask('GET', `/diff?from=r@1&to=f&after=${after}`);
    const { changes, next } = body as { changes: unknown[]; next: number | null };
    expect(changes.length).toBeLessThanOrEqual(5);
    changed += changes.length;
    after = next;
  }
  expect(changed).toBe(20);
});

test('a page of questions holds so many characters, and an answered one is no place to go on from', async () => {
  const here = await served({ limits: { pageLength: 1_000 } });
  for (let at = 0; at < 5; at += 1)
    await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: `r${at}` }).outcome();
  type Page = { asks: { id: string; runId: string }[]; next: string | null };
  const first = (await here.ask('GET', '/asks')).body as Page;
  expect(first.asks.length).toBeGreaterThan(0);
  expect(first.asks.length).toBeLessThan(5);
  const second = (await here.ask('GET', `/asks?after=${first.next}`)).body as Page;
  expect(second.asks[0]?.runId).toBe(`r${first.asks.length}`);
  const last = first.asks.at(-1);
  await here.engine.get(last?.runId ?? '').answer('approve', { ok: true });
  expect((await here.ask('GET', `/asks?after=${first.next}`)).status).toBe(400);
});

test('a slice of a state has so many characters', async () => {
  const here = await served({ limits: { stateLength: 50_000 } });
  const state = { list: Array.from({ length: 500 }, () => 'z'.repeat(1_000)) };
  await here.engine.checkpoints.save('big', { state });
  const { body } = await here.ask('GET', '/runs/big/state?path=/list&n=1000');
  const { items, size } = (body as { node: { items: unknown[]; size: number } }).node;
  expect([items.length, size]).toEqual([50, 500]);
});
