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
    ['postgres://ada@db/runs', 'postgres://ada@db/runs'],
    ['postgres://db:5432/runs', 'postgres://db:5432/runs'],
    ['postgres://a:1,b:2/runs', 'postgres://a:1,b:2/runs'],
    ['postgres://[::1]:5432/runs', 'postgres://[::1]:5432/runs'],
    ['postgres:///runs?schema=x', 'postgres:///runs?schema=x'],
    ['postgres://ada:hunter2', 'postgres://ada:***'],
    ['postgres://ada:hunter2/runs', 'postgres://ada:***'],
    ['postgres:ada:hunter2', 'postgres:ada:***'],
    ['postgres://ada:x?key=hunter2@db/runs', 'postgres://ada:***'],
    ['postgres://ada@db:1/runs?password=x@hunter2&schema=x', 'postgres://ada@db:***&schema=x'],
    ['postgres://ada@db/runs?password=x@hunter2', 'postgres://ada@db/runs?password=***'],
    ['sqlite:runs.db?key=hunter2', 'sqlite:runs.db?key=***'],
    ['sqlite://ada:hunter2@db/runs', 'sqlite://ada:***@db/runs'],
    ['sqlite:C:\\runs.db', 'sqlite:C:\\runs.db'],
    ['file:a@b:c', 'file:a@b:c'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('shows %s as %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown);
  });
});
