// `holdfast studio`: the real binary, asked as a browser asks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

/** The pages and the API behind an address that was printed. */
async function visited(url: string) {
  const { origin, searchParams } = new URL(url);
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' };
  const page = await fetch(`${origin}/runs/r?at=1`, { headers });
  const caller = await fetch(`${origin}/api/v1/caller`, { headers });
  const cancelled = await fetch(`${origin}/api/v1/runs/r/cancel`, { method: 'POST', headers, body: '{}' });
  return { html: await page.text(), caller: await caller.json(), cancelled: cancelled.status };
}

test.each([
  [[], false, 200],
  [['--read-only'], true, 403],
])('serves the pages of a store, with %j', async (flags, readOnly, cancelled) => {
  await bench.run(['submit', 'refunds', 'order=ord_1', 'cents=1', '--id', 'r']);
  const { printed, child, done } = bench.start(['studio', '--json', ...flags]);
  const [, url = ''] = await printed(/"url":\s*"([^"]+)"/u);
  const seen = await visited(url);
  expect(seen.html).toContain('<title>Holdfast Studio</title>');
  expect(seen).toMatchObject({ caller: { readOnly }, cancelled });
  child.kill('SIGTERM');
  expect((await done).code).toBe(143);
});
