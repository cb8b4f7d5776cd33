// Bodies are plain JSON: nothing else is read, and how much there is of it is known before anything is made of it.
import { expect, test } from 'vitest';
import { refunds, served } from '../fixture.ts';
import { request } from '../raw-request.ts';

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'application/json; charset=utf-16',
])('refuses a body of type %j with 415', async (type) => {
  const here = await served();
  expect((await here.ask('POST', '/runs', {}, { 'content-type': type })).status).toBe(415);
});

test('refuses compressed bodies with 415, and wrong methods with 405', async () => {
  const here = await served();
  expect((await here.ask('POST', '/runs', {}, { 'content-encoding': 'gzip' })).status).toBe(415);
  for (const [method, path, allow] of [
    ['PUT', '/runs', 'GET, HEAD, POST'],
    ['DELETE', '/runs', 'GET, HEAD, POST'],
    ['OPTIONS', '/runs', 'GET, HEAD, POST'],
    ['PATCH', '/runs/r', 'GET, HEAD, DELETE'],
    ['GET', '/runs/r/answer', 'POST'],
  ] as const) {
    const { status, headers } = await here.ask(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('refuses bodies that are too large, too deep or of too many values with 413, before they are parsed', async () => {
  const here = await served({ limits: { bodyBytes: 10_000, nodes: 500 } });
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${here.base}/api/v1/runs`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${here.server.token}`, 'content-type': 'application/json', ...headers },
    });
  expect((await post('x'.repeat(10_001))).status).toBe(413);
  expect((await post(`${'['.repeat(65)}${']'.repeat(65)}`)).status).toBe(413);
  expect((await post(`[${'1,'.repeat(600)}1]`)).status).toBe(413);
  // Brackets in texts count for nothing.
  expect((await post(`{"graph":"${'['.repeat(100)}","input":{}}`)).status).toBe(404);
  expect((await post('{"graph"')).status).toBe(400);
  expect((await post('')).status).toBe(400);
  // A body whose length is not announced.
  const parts = `${(5_000).toString(16)}\r\n${'x'.repeat(5_000)}\r\n`.repeat(4);
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  expect(await request(here, 'POST /api/v1/runs', chunked, `${parts}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /u);
});

test('a field named __proto__ is refused where it would be lost, and kept in values', async () => {
  const here = await served();
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  const post = async (path: string, body: string): Promise<number> => {
    const headers = { authorization: `Bearer ${here.server.token}`, 'content-type': 'application/json' };
    return (await fetch(`${here.base}/api/v1${path}`, { method: 'POST', body, headers })).status;
  };
  const input = '{"order":"o","cents":1}';
  expect(await post('/runs', `{"graph":"refunds","input":${input},"tags":{"__proto__":"x"}}`)).toBe(400);
  expect(await post('/runs', `{"graph":"refunds","input":${input},"__proto__":{"id":"x"}}`)).toBe(400);
  expect(await post('/runs/r/fork', '{"set":{"__proto__":{"cents":1}}}')).toBe(400);
  expect(await post('/runs/r/fork/preview', '{"set":{"__proto__":{"cents":1}}}')).toBe(400);
  expect((await here.ask('GET', '/runs?__proto__=1')).status).toBe(400);
  expect(await here.engine.runs().toArray()).toHaveLength(1);
});

test('tags of our codec are plain data in both directions', async () => {
  const here = await served();
  const tagged = { order: '{"$bigint":"1"}', cents: 1, customer: { email: '{"$date":0}' } };
  expect((await here.ask('POST', '/runs', { graph: 'refunds', input: tagged, id: 'r' })).status).toBe(201);
  expect((await here.ask('GET', '/runs/r/state?as=json')).body).toMatchObject({ json: tagged });
  const asNumber = { order: 'o', cents: { $bigint: '1' } };
  expect((await here.ask('POST', '/runs', { graph: 'refunds', input: asNumber })).status).toBe(400);
});

test('a parameter that is given twice is refused: two readers might take two values', async () => {
  const here = await served();
  for (const path of ['/runs?limit=1&limit=2', '/runs?q=a&q=a'])
    expect(await here.ask('GET', path)).toMatchObject({
      status: 400,
      body: { error: { code: 'HTTP_INVALID_REQUEST' } },
    });
});
