// What serves the pages: their headers, what is no page, and another path.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type StudioOptions, studio } from '../src/index.ts';

beforeAll(() => {
  const root = resolve(import.meta.dirname, '../../..');
  execFileSync(process.execPath, ['scripts/bundle.mjs', 'studio'], { cwd: root });
});

/** The answer to a request for a page. */
async function asked(path: string, { basePath, store, ...init }: RequestInit & StudioOptions = {}) {
  return studio({ basePath, store })(new Request(`http://127.0.0.1${path}`, init));
}

describe('studio()', () => {
  test('answers every address inside the studio with the page', async () => {
    for (const path of ['/', '/runs', '/runs/ord_81?at=14', '/runs/a%2Fb', '/nowhere']) {
      const answer = await asked(path);
      expect(answer?.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer?.text()).toContain('<meta name="holdfast-mount" content="/" />');
    }
  });

  test('leaves the API, commands and files that do not exist to others', async () => {
    expect(await asked('/api/v1/runs')).toBeUndefined();
    expect(await asked('/runs', { method: 'POST' })).toBeUndefined();
    expect(await asked('/assets/no.js')).toBeUndefined();
    expect(await asked('/assets/..%2f..%2f..%2fpackage.json')).toBeUndefined();
  });

  test('allows scripts and requests of this server alone, and no inline script stands in the page', async () => {
    const answer = await asked('/');
    const policy = answer?.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/u);
    expect(policy).not.toContain('unsafe');
    expect((await answer?.text()) ?? '').not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style=/u);
    expect(answer?.headers.get('x-frame-options')).toBe('DENY');
    expect(answer?.headers.get('cache-control')).toBe('no-cache');
  });

  test('keeps files whose name carries a hash for ever, and sends them compressed', async () => {
    const [, script = ''] = /src="(\/assets\/[^"]+)"/u.exec((await (await asked('/'))?.text()) ?? '') ?? [];
    const answer = await asked(script, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer?.headers.get('cache-control')).toContain('immutable');
    expect(answer?.headers.get('content-encoding')).toBe('gzip');
    expect(answer?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('works under a path, whether or not that is cut off before', async () => {
    for (const path of ['/holdfast', '/holdfast/', '/holdfast/runs', '/runs']) {
      const html = (await (await asked(path, { basePath: '/holdfast/' }))?.text()) ?? '';
      expect(html).toContain('content="/holdfast/"');
      expect(html).toMatch(/src="\/holdfast\/assets\//u);
    }
    expect(await asked('/holdfast/api/v1/runs', { basePath: '/holdfast' })).toBeUndefined();
  });

  test('writes what the store is called into the page, and no markup of it', async () => {
    const html = (await (await asked('/', { store: 'file:"><script>$&' }))?.text()) ?? '';
    expect(html).toContain('<meta name="holdfast-store" content="file:&quot;>&lt;script>$&amp;" />');
    expect((await (await asked('/'))?.text()) ?? '').toContain('<meta name="holdfast-store" content="" />');
  });

  test('writes no markup of a path into the page', async () => {
    expect(await (await asked('/', { basePath: '/"><b>' }))?.text()).not.toContain('<b>');
  });
});
