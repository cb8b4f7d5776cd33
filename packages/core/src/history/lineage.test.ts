import { describe, expect, test } from 'vitest';
import { segmentsOf } from './lineage.ts';

const all = Number.MAX_SAFE_INTEGER;

describe('segmentsOf()', () => {
  test('gives a run that is no fork one segment', () => {
    expect(segmentsOf([{ runId: 'a', forkedAt: null, floor: 0 }])).toEqual([
      { runId: 'a', after: 0, upTo: all, floor: 0 },
    ]);
  });

  test('gives a fork its own segment and those of its bases, up to where each was forked', () => {
    const lineage = [
      { runId: 'c', forkedAt: { runId: 'b', seq: 9 }, floor: 0 },
      { runId: 'b', forkedAt: { runId: 'a', seq: 4 }, floor: 0 },
      { runId: 'a', forkedAt: null, floor: 0 },
    ];
    expect(segmentsOf(lineage)).toEqual([
      { runId: 'c', after: 9, upTo: all, floor: 0 },
      { runId: 'b', after: 4, upTo: 9, floor: 0 },
      { runId: 'a', after: 0, upTo: 4, floor: 0 },
    ]);
  });

  test('leaves out a base that holds nothing of it', () => {
    const lineage = [
      { runId: 'c', forkedAt: { runId: 'b', seq: 4 }, floor: 0 },
      { runId: 'b', forkedAt: { runId: 'a', seq: 4 }, floor: 0 },
      { runId: 'a', forkedAt: null, floor: 0 },
    ];
    expect(segmentsOf(lineage).map(({ runId }) => runId)).toEqual(['c', 'a']);
  });

  test('ends with a run that was trimmed: all below is in its snapshot', () => {
    const lineage = [
      { runId: 'c', forkedAt: { runId: 'b', seq: 9 }, floor: 0 },
      { runId: 'b', forkedAt: { runId: 'a', seq: 4 }, floor: 6 },
      { runId: 'a', forkedAt: null, floor: 0 },
    ];
    expect(segmentsOf(lineage)).toEqual([
      { runId: 'c', after: 9, upTo: all, floor: 0 },
      { runId: 'b', after: 4, upTo: 9, floor: 6 },
    ]);
  });
});
