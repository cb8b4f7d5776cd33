import { expect, test } from 'vitest';
import { jsonLines, wordDiff } from './marked-lines.ts';

test('short values stand on one line, names without quotes', () => {
  expect(jsonLines({ ok: true, 'by whom': 'ada' })).toEqual(['{ ok: true, "by whom": "ada" }']);
  expect(jsonLines({ text: 'x'.repeat(60) })).toEqual(['{', `  text: "${'x'.repeat(60)}"`, '}']);
  expect(jsonLines(undefined)).toEqual(['not set']);
});

test('the words that differ are marked, whole', () => {
  const [left, right] = wordDiff('the parcel was lost: a refund', 'the parcel was sent: a refund');
  const marked = [left, right].map((parts) => parts.filter(({ isChanged }) => isChanged).map(({ text }) => text));
  expect(marked).toEqual([['lost'], ['sent']]);
  expect(left.map(({ text }) => text).join('')).toBe('the parcel was lost: a refund');
});
