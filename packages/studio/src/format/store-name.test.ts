import { describe, expect, test } from 'vitest';
import { shortStoreName } from './store-name.ts';

describe('shortStoreName()', () => {
  test('is the file, the folder or the database', () => {
    expect(shortStoreName('sqlite:.holdfast/holdfast.db')).toBe('holdfast.db');
    expect(shortStoreName('sqlite:runs.db')).toBe('runs.db');
    expect(shortStoreName('file:./runs/')).toBe('runs');
    expect(shortStoreName('file:C:\\data\\runs')).toBe('runs');
    expect(shortStoreName('postgres://ada:***@db.example:5432/orders?schema=eu')).toBe('orders');
  });

  test('is the name itself if that has no parts', () => {
    expect(shortStoreName('production')).toBe('production');
    expect(shortStoreName('memory:')).toBe('memory:');
  });
});
