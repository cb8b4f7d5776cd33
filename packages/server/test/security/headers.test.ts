// What comes with every answer: no CORS, and a policy under which nothing of it runs, is framed or kept.
import { expect, test } from 'vitest';
import { served } from '../fixture.ts';

test('comes with headers that let nothing run, be framed or be kept', async () => {
  const { headers } = await (await served()).ask('GET', '/runs');
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
});

test('lets no other origin read, whatever it asks for', async () => {
  const here = await served({ origins: ['https://app.example.com'] });
  for (const origin of ['https://evil.example', 'https://app.example.com'])
    for (const [method, path] of [
      ['GET', '/runs'],
      ['OPTIONS', '/runs'],
      ['GET', '/openapi.json'],
      ['GET', '/nope'],
    ] as const) {
      const { headers } = await here.ask(method, path, undefined, { origin, 'access-control-request-method': 'POST' });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
});

test('every kind of answer comes with them: refusals, streams, the redirect with the cookie', async () => {
  const here = await served();
  const answers = [
    await fetch(`${here.base}/api/v1/nope`),
    await fetch(`${here.base}/api/v1/runs`),
    await fetch(`${here.base}/nope`),
    await fetch(here.server.url, { redirect: 'manual' }),
    await fetch(`${here.base}/api/v1/metrics`, { headers: { authorization: `Bearer ${here.server.token}` } }),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});
