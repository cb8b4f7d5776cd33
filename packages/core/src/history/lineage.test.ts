import { describe, expect, test } from 'vitest';
import { segmentsOf } from './lineage.ts';

const all = Number.MAX_SAFE_INTEGER;

describe('segmentsOf()', () => {
  test('gives a run that is no fork one segment', () => {
    expect(segmentsOf([{ run: 'a', base: null, floor: 0 }])).toEqual([{ run: 'a', after: 0, upTo: all, floor: 0 }]);
  });

  test('gives a fork its own segment and those of its bases, up to where each was forked', () => {
    const lineage = [
      { run: 'c', base: { run: 'b', seq: 9 }, floor: 0 },
      { run: 'b', base: { run: 'a', seq: 4 }, floor: 0 },
      { run: 'a', base: null, floor: 0 },
    ];
    expect(segmentsOf(lineage)).toEqual([
      { run: 'c', after: 9, upTo: all, floor: 0 },
      { run: 'b', after: 4, upTo: 9, floor: 0 },
      { run: 'a', after: 0, upTo: 4, floor: 0 },
    ]);
  });

  test('leaves out a base that holds nothing of it', () => {
    const lineage = [
      { run: 'c', base: { run: 'b', seq: 4 }, floor: 0 },
      { run: 'b', base: { run: 'a', seq: 4 }, floor: 0 },
      { run: 'a', base: null, floor: 0 },
    ];
    expect(segmentsOf(lineage).map(({ run }) => run)).toEqual(['c', 'a']);
  });

  test('ends with a run that was trimmed: all below is in its snapshot', () => {
    const lineage = [
      { run: 'c', base: { run: 'b', seq: 9 }, floor: 0 },
      { run: 'b', base: { run: 'a', seq: 4 }, floor: 6 },
      { run: 'a', base: null, floor: 0 },
    ];
    expect(segmentsOf(lineage)).toEqual([
      { run: 'c', after: 9, upTo: all, floor: 0 },
      { run: 'b', after: 4, upTo: 9, floor: 6 },
    ]);
  });
});
