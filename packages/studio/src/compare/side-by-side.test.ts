import type { ChangeJson } from '@holdfast/server/client';
import { expect, test } from 'vitest';
import { channelsOf, pathInside } from './side-by-side.ts';

test('changes are grouped by their channel', () => {
  const changes: readonly ChangeJson[] = [
    { op: 'replace', path: '/cents', before: 12_000, after: 5_000 },
    { op: 'replace', path: '/decision/cents', before: 12_000, after: 5_000 },
    { op: 'add', path: '/messages/7', after: 'x' },
    { op: 'add', path: '/messages/8', after: 'y' },
    { op: 'add', path: '/decision/why', after: 'limit' },
    { op: 'remove', path: '/a~1b', before: 1 },
  ];
  expect(channelsOf(changes).map(({ name, op, changes: own }) => [name, op, own.length])).toEqual([
    ['cents', '~', 1],
    ['decision', '~', 2],
    ['messages', '+', 2],
    ['a/b', '-', 1],
  ]);
  expect(['/cents', '/decision/cents', '/m/0/a~1b'].map(pathInside)).toEqual(['', 'cents', '0/a/b']);
});
