// authorize() says who calls; what it must not say is refused.
import { expect, test } from 'vitest';
import { openApiOf } from '../../src/openapi/document.ts';
import { routes } from '../../src/route/all.ts';
import { served } from '../fixture.ts';

test('refuses a scope without a tag, callers without a name, and flags that are none, without saying why', async () => {
  const wrong = [
    { readOnly: 'yes' },
    { admin: 1 },
    { may: 'read' },
    { scope: {} },
    { scope: { a: 1 } },
    { scope: null },
  ];
  for (const caller of [{ by: '' }, ...wrong.map((each) => ({ by: 'x', ...each })), 'ada']) {
    const errors: unknown[] = [];
    const here = await served({
      authorize: () => caller as never,
      observe: (event) => event.type === 'error' && errors.push(event.error),
    });
    expect(await here.ask('GET', '/runs')).toMatchObject({ status: 500, body: { error: { code: 'HTTP_INTERNAL' } } });
    expect(String(errors[0])).toContain('authorize() must return');
  }
});

test('is required, and asked about every route but those that need no token', async () => {
  const here = await served({ authorize: () => null });
  const { paths } = openApiOf(routes) as { paths: Record<string, Record<string, { security: readonly unknown[] }>> };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { security }] of Object.entries(methods)) {
      const { status } = await here.ask(method.toUpperCase(), path.replace('/api/v1', '').replaceAll(/[{}]/gu, ''));
      expect([path, method, status]).toEqual([path, method, security.length === 0 ? 200 : 401]);
    }
});

test('answers 503 if it never says who calls', async () => {
  const here = await served({ limits: { answerMs: 50 }, authorize: () => new Promise(() => undefined) });
  expect(await here.ask('GET', '/runs')).toMatchObject({ status: 503, body: { error: { code: 'HTTP_TIMEOUT' } } });
});
