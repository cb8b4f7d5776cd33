// Host and Origin: only what was listed is served, so that no page of another site reaches a server on this machine.
import { expect, test } from 'vitest';
import { served } from '../fixture.ts';
import { raw, request } from '../raw-request.ts';

test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil', '', '0.0.0.0'])(
  'refuses the host %j with 421',
  async (host) => {
    const here = await served();
    expect(await request(here, 'GET /api/v1/runs', { host })).toMatch(/^HTTP\/1\.1 4(?:21|00) /u);
    expect(await request(here, 'GET /', { host })).toMatch(/^HTTP\/1\.1 4(?:21|00) /u);
  },
);

test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://', 'http://localhost.evil'])(
  'refuses the origin %j with 403',
  async (origin) => {
    const here = await served();
    expect((await here.ask('GET', '/runs', undefined, { origin })).status).toBe(403);
    expect((await here.ask('POST', '/runs', {}, { origin })).status).toBe(403);
  },
);

test('refuses requests of other sites with 403', async () => {
  const here = await served();
  for (const site of ['cross-site', 'same-site'])
    expect(await request(here, 'GET /api/v1/runs', { 'sec-fetch-site': site })).toMatch(/^HTTP\/1\.1 403 /u);
  for (const site of ['same-origin', 'none'])
    expect(await request(here, 'GET /api/v1/runs', { 'sec-fetch-site': site })).toMatch(/^HTTP\/1\.1 200 /u);
  expect((await here.ask('GET', '/runs', undefined, { origin: here.base })).status).toBe(200);
});

test('refuses requests that name no host, and targets that are no path', async () => {
  const here = await served();
  const token = `Authorization: Bearer ${here.server.token}\r\nConnection: close\r\n\r\n`;
  expect(await raw(here.server.port, `GET /api/v1/runs HTTP/1.0\r\n${token}`)).toMatch(/^HTTP\/1\.1 400 /u);
  for (const line of ['GET http://evil.example/api/v1/runs', 'OPTIONS *'])
    expect(await request(here, line, {})).toMatch(/^HTTP\/1\.1 400 /u);
});
