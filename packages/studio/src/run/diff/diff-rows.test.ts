import { describe, expect, test } from 'vitest';
import { diffRows, jsonLines, wordDiff } from './diff-rows.ts';

describe('diffRows()', () => {
  test('has a heading for each change, and marks what differs in a line', () => {
    expect(diffRows([{ op: 'replace', path: '/cents', before: 12_000, after: 5_000 }])).toEqual([
      { kind: 'heading', path: '/cents', fact: '' },
      { kind: 'removed', parts: [{ text: '12000', isChanged: true }] },
      { kind: 'added', parts: [{ text: '5000', isChanged: true }] },
    ]);
  });

  test('cuts what is too long to read', () => {
    const rows = diffRows([
      { op: 'add', path: '/l', after: Array.from({ length: 500 }, (_, index) => `line ${index}`) },
    ]);
    expect(rows).toHaveLength(62);
    expect(rows.at(-1)).toEqual({ kind: 'cut', text: '442 more lines' });
  });
});

describe('wordDiff()', () => {
  test('keeps what both lines begin and end with', () => {
    expect(wordDiff('"The parcel was lost: refund."', '"The parcel was late: refund."')).toEqual([
      [
        { text: '"The parcel was ', isChanged: false },
        { text: 'lost', isChanged: true },
        { text: ': refund."', isChanged: false },
      ],
      [
        { text: '"The parcel was ', isChanged: false },
        { text: 'late', isChanged: true },
        { text: ': refund."', isChanged: false },
      ],
    ]);
  });
});

describe('jsonLines()', () => {
  test('is one line as long as it is short', () => {
    expect(jsonLines({ ok: true, 'a-b': [1] })).toEqual(['{ ok: true, "a-b": [1] }']);
    expect(jsonLines({ text: 'x'.repeat(80) })).toHaveLength(3);
  });
});
