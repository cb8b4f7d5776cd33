import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Keepable, planRetention, type RetentionPlan, type RetentionRule } from './plan-retention.ts';
import { isTerminal } from './terminal.ts';

/** Newest first, as retention gets them. */
const checkpoints = fc
  .array(fc.record({ covers: fc.nat(9), at: fc.nat(9), status: fc.constantFrom('running', 'completed') }), {
    maxLength: 12,
  })
  .map((made): readonly Keepable[] =>
    made
      .map((each, index) => ({ ...each, seq: index + 1, id: `r@${index + 1}` }))
      .toSorted((a, b) => b.covers - a.covers || b.seq - a.seq),
  );
const rule: fc.Arbitrary<RetentionRule> = fc.record(
  { before: fc.nat(10), savedBefore: fc.nat(10), keep: fc.nat(12), keepLatestTerminal: fc.boolean() },
  { requiredKeys: [] },
);
const forkPoints = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }).map((seqs) => new Set(seqs));

function plan(
  checkpoints: readonly Keepable[],
  given: RetentionRule,
  points: ReadonlySet<number>,
): RetentionPlan<Keepable> {
  return planRetention({ checkpoints, rule: given, forkPoints: points, latest: 'latest', drops: 'any' });
}

describe('planRetention() of a journal run', () => {
  test('never drops the latest, nor a checkpoint that a fork begins at', () => {
    const property = fc.property(checkpoints, rule, forkPoints, (all, given, points) => {
      const { drop } = plan(all, given, points);
      expect(drop.filter((each) => each === all[0] || points.has(each.seq))).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('accounts for every checkpoint exactly once', () => {
    const property = fc.property(checkpoints, rule, forkPoints, (all, given, points) => {
      const { drop, retained, protectedBy } = plan(all, given, points);
      expect(drop.length + retained).toBe(all.length);
      const kept = new Set(protectedBy.map(({ checkpoint }) => checkpoint));
      expect(drop.filter(({ id }) => kept.has(id))).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('drops only what meets every condition', () => {
    const property = fc.property(checkpoints, rule, forkPoints, (all, given, points) => {
      const { before = Infinity, savedBefore = Infinity, keep = 0 } = given;
      const newest = new Set(all.slice(0, keep));
      const wrong = plan(all, given, points).drop.filter(
        (each) => each.covers >= before || each.at >= savedBefore || newest.has(each),
      );
      expect(wrong).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('drops everything that meets every condition and is not protected', () => {
    const property = fc.property(checkpoints, fc.nat(12), (all, keep) => {
      expect(plan(all, { keep }, new Set()).drop).toEqual(all.slice(Math.max(1, keep)));
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('keeps the latest terminal checkpoint on request', () => {
    const property = fc.property(checkpoints, forkPoints, (all, points) => {
      const { drop, preservedTerminal } = plan(all, { keep: 0, keepLatestTerminal: true }, points);
      const latest = all.find(({ status }) => isTerminal(status));
      expect(preservedTerminal).toEqual(latest === undefined ? [] : [latest.id]);
      expect(drop).not.toContain(latest ?? 'none');
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

function seqs({ drop }: RetentionPlan<Keepable>): readonly number[] {
  return drop.map(({ seq }) => seq);
}

describe('planRetention() of a graph run', () => {
  const marks: readonly Keepable[] = [9, 7, 5, 3, 1].map((seq) => ({
    id: `r@${seq}`,
    seq,
    covers: seq,
    at: seq,
    status: seq === 5 ? 'completed' : 'running',
  }));
  const floor = (given: RetentionRule, points: readonly number[] = [], latest: 'latest' | 'waiting' = 'latest') =>
    planRetention({ checkpoints: marks, rule: given, forkPoints: new Set(points), latest, drops: 'oldest' });

  test('drops the oldest up to the first that stays', () => {
    expect(seqs(floor({ keep: 2 }))).toEqual([5, 3, 1]);
    expect(seqs(floor({ before: 4 }))).toEqual([3, 1]);
    expect(seqs(floor({ savedBefore: 2 }))).toEqual([1]);
    expect(floor({ keep: 9 })).toEqual({ drop: [], retained: 5, preservedTerminal: [], protectedBy: [] });
  });

  test('never passes the latest, the lowest fork point, or the terminal checkpoint to keep', () => {
    expect(floor({ keep: 0 }, [], 'waiting')).toMatchObject({
      retained: 1,
      protectedBy: [{ checkpoint: 'r@9', because: 'waiting' }],
    });
    const forked = floor({ keep: 0 }, [8, 4]);
    expect(seqs(forked)).toEqual([1]);
    expect(forked.protectedBy).toEqual([{ checkpoint: 'r@3', because: 'fork' }]);
    const ended = floor({ keep: 0, keepLatestTerminal: true });
    expect(seqs(ended)).toEqual([3, 1]);
    expect(ended).toMatchObject({
      preservedTerminal: ['r@5'],
      protectedBy: [{ checkpoint: 'r@5', because: 'terminal' }],
    });
  });
});
