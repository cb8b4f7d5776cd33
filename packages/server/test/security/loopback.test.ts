// A server listens for this machine alone, unless it is told otherwise and asks who calls.
import { networkInterfaces } from 'node:os';
import { api, serve } from '@holdfast/server';
import { expect, test } from 'vitest';
import { graphs, openHere, served } from '../fixture.ts';
import { request } from '../raw-request.ts';

test('refuses to listen for others without a token or authorize', async () => {
  const engine = await openHere();
  await expect(serve(engine, { graphs, host: '0.0.0.0' })).rejects.toThrow('pass a token');
  await expect(serve(engine, { graphs, token: 'short' })).rejects.toThrow('at least 16');
  expect(() => api(engine, { graphs } as never)).toThrow('needs authorize');
  expect(() => api(engine, { authorize: () => null, limits: { nope: 1 } as never })).toThrow('no limit');
  expect(() => api(engine, { authorize: () => null, limits: { depth: 0 } })).toThrow('1 or more');
});

test('listens on 127.0.0.1, which no other machine can reach', async () => {
  const { server } = await served();
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
  const outside = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ internal }) => !internal));
  for (const { address, family } of outside.filter((each) => each.family === 'IPv4')) {
    const asked = fetch(`http://${family === 'IPv4' ? address : `[${address}]`}:${server.port}/`);
    await expect(asked).rejects.toThrow('fetch failed');
  }
});

test('is not served by the address that stands for all addresses', async () => {
  const here = await served({ host: '0.0.0.0', token: 'a-token-of-twenty-chars' });
  const host = `0.0.0.0:${here.server.port}`;
  expect(await request(here, 'GET /api/v1/runs', { host })).toMatch(/^HTTP\/1\.1 421 /u);
  expect((await here.ask('GET', '/runs')).status).toBe(200);
});

test('is called by its own name, also if that is an address of six parts', async () => {
  const here = await served({ host: '::1' });
  expect(here.server.url).toContain('http://[::1]:');
  expect((await fetch(here.server.url, { redirect: 'manual' })).status).toBe(303);
});
