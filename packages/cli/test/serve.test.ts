// `holdfast serve`: the real binary, asked over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

test('serves the API on this machine alone, executes only if told to, and ends on a signal', async () => {
  await bench.run(['submit', 'refunds', 'order=ord_1', 'cents=1', '--id', 'r']);
  const { printed, child, done } = bench.start(['serve', '--port', '0', '--json']);
  const [, url = ''] = await printed(/"url":\s*"([^"]+)"/u);
  const { origin, searchParams } = new URL(url);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  const headers = { authorization: `Bearer ${searchParams.get('token')}` };
  const run = await fetch(`${origin}/api/v1/runs/r`, { headers });
  expect(await run.json()).toMatchObject({ id: 'r', status: 'pending' });
  expect((await fetch(`${origin}/api/v1/runs`)).status).toBe(401);
  child.kill('SIGTERM');
  expect((await done).code).toBe(143);
});

test('executes with --work', async () => {
  const { printed, child, done } = bench.start(['serve', '--port', '0', '--work', '--json']);
  const [, url = ''] = await printed(/"url":\s*"([^"]+)"/u);
  const { origin, searchParams } = new URL(url);
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ graph: 'refunds', input: { order: 'o', cents: 5 }, id: 'w' });
  expect((await fetch(`${origin}/api/v1/runs`, { method: 'POST', headers, body })).status).toBe(201);
  const again = await fetch(`${origin}/api/v1/runs/w/answer`, {
    method: 'POST',
    headers,
    body: '{"name":"none","value":1}',
  });
  expect(again.status).toBeGreaterThanOrEqual(400);
  const events = await fetch(`${origin}/api/v1/runs/w/events?until=idle`, { headers });
  expect(await events.text()).toContain('event: end');
  child.kill('SIGINT');
  const { code, stderr } = await done;
  expect(code).toBe(130);
  // Who gave which command stands in the log.
  expect(stderr).toMatch(/^local: startRun w 201\nlocal: answer w 40[49]$/mu);
});

test('refuses what cannot be right', async () => {
  const bad = [
    [['--port', 'x'], 'Invalid port'],
    [['--host', '0.0.0.0', '--port', '0'], 'HOLDFAST_TOKEN'],
    [['--redact', 'email', '--port', '0'], 'matches nothing'],
    [['--read-only', '--work'], 'not both'],
  ] as const;
  for (const [args, message] of bad) {
    const { code, stderr } = await bench.run(['serve', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  }
});
