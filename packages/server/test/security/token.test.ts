// The token: printed once, moved into a cookie, and asked for on every request.
import { serve } from '@holdfast/server';
import { expect, test } from 'vitest';
import { graphs, openHere, served } from '../fixture.ts';
import { raw } from '../raw-request.ts';

test('refuses whoever has no token with 401, and takes the token of the printed URL as a cookie', async () => {
  const here = await served();
  expect((await fetch(`${here.base}/api/v1/runs`)).status).toBe(401);
  for (const token of ['', 'wrong', `${here.server.token}x`]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${here.base}/api/v1/runs`, { headers })).status).toBe(401);
    const opened = await fetch(`${here.base}/?token=${token}`, { redirect: 'manual' });
    expect(opened.headers.get('set-cookie')).toBeNull();
  }
  for (const scheme of ['bearer', 'BEARER '])
    expect(
      (await fetch(`${here.base}/api/v1/runs`, { headers: { authorization: `${scheme} ${here.server.token}` } }))
        .status,
    ).toBe(200);
  const opened = await fetch(here.server.url, { redirect: 'manual' });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).toBe('/');
  const cookie = opened.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/u);
  const headers = { cookie: cookie.split(';')[0] as string };
  expect((await fetch(`${here.base}/api/v1/runs`, { headers })).status).toBe(200);
});

test.each(['with spaces in between', 'tab\tand line\nin it too', 'not-ascii-äöü-äöü-äöü'])(
  'refuses the token %j, which no header can carry',
  async (token) => {
    const engine = await openHere();
    await expect(serve(engine, { graphs, token })).rejects.toThrow('printable ASCII');
  },
);

test('a token of any printable characters works as a cookie, too', async () => {
  const here = await served({ token: 'a=b;c,"d"&e%20f=g?h#i' });
  const opened = await fetch(here.server.url, { redirect: 'manual' });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  expect((await fetch(`${here.base}/api/v1/runs`, { headers: { cookie } })).status).toBe(200);
  const [name] = cookie.split('=');
  for (const value of ['', '%', 'wrong'])
    expect((await fetch(`${here.base}/api/v1/runs`, { headers: { cookie: `${name}=${value}` } })).status).toBe(401);
});

test('the printed URL leads to no other host', async () => {
  const here = await served();
  const { port, token } = here.server;
  const head = `GET //evil.example/x?token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
  expect(await raw(port, head)).toMatch(/\r\nlocation: \/evil\.example\/x\r\n/u);
});
