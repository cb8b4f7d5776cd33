import { expect, test } from 'vitest';
import { mergeRuns } from './merge-runs.ts';

const rows = (text: string) => text.split(' ').map((word) => ({ id: word.charAt(0), status: word.slice(1) }));

test('replaces rows in place and counts the new ones above them', () => {
  const { rows: merged, newRuns } = mergeRuns(rows('c1 b1 a1'), rows('e1 d1 c2 b1'));
  expect(merged).toEqual(rows('c2 b1 a1'));
  expect(newRuns).toBe(2);
});

test('an older run that slid up into the page is no news', () => {
  expect(mergeRuns(rows('c1 b1'), rows('c1 b1 a1')).newRuns).toBe(0);
});

test('a page of nothing but new runs is news', () => {
  expect(mergeRuns(rows('c1 b1'), rows('f1 e1')).newRuns).toBe(2);
  expect(mergeRuns([], rows('a1')).newRuns).toBe(1);
});
