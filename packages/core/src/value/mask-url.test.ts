import { describe, expect, test } from 'vitest';
import { maskedUrl } from './mask-url.ts';

describe('maskedUrl()', () => {
  test.each([
    ['postgres://ada:hunter2@db.example/runs', 'postgres://ada:***@db.example/runs'],
    ['postgres://ada:hunt:er@2/@db.example:5432/runs', 'postgres://ada:***@db.example:5432/runs'],
    ['redis://:hunter2@cache', 'redis://:***@cache'],
    ['libsql://hunter2@host', 'libsql://***@host'],
    ['mysql:ada:hunter2@host', 'mysql:ada:***@host'],
    ['libsql://host?authToken=hunter2&x=1', 'libsql://host?authToken=***&x=1'],
    ['pg://a:hunter2@h?sslpassword=hunter2#x', 'pg://a:***@h?sslpassword=***#x'],
    ['sqlite:./a@b/runs.db', 'sqlite:./a@b/runs.db'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('shows %s as %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown);
  });
});
