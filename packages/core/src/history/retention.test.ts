import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Keepable, planFloor, planRetention, type RetentionPlan, type RetentionRule } from './retention.ts';
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
const forkBases = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }).map((seqs) => new Set(seqs));

function plan(
  checkpoints: readonly Keepable[],
  given: RetentionRule,
  bases: ReadonlySet<number>,
): RetentionPlan<Keepable> {
  return planRetention({ checkpoints, rule: given, forkBases: bases });
}

describe('planRetention()', () => {
  test('never drops the latest, nor what a fork stands on', () => {
    const property = fc.property(checkpoints, rule, forkBases, (all, given, bases) => {
      const { drop } = plan(all, given, bases);
      expect(drop.filter((each) => each === all[0] || bases.has(each.seq))).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('accounts for every checkpoint exactly once', () => {
    const property = fc.property(checkpoints, rule, forkBases, (all, given, bases) => {
      const { drop, retained, protectedBy } = plan(all, given, bases);
      expect(drop.length + retained).toBe(all.length);
      const kept = new Set(protectedBy.map(({ checkpoint }) => checkpoint));
      expect(drop.filter(({ id }) => kept.has(id))).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('drops only what meets every condition', () => {
    const property = fc.property(checkpoints, rule, forkBases, (all, given, bases) => {
      const { before = Infinity, savedBefore = Infinity, keep = 0 } = given;
      const newest = new Set(all.slice(0, keep));
      const wrong = plan(all, given, bases).drop.filter(
        (each) => each.covers >= before || each.at >= savedBefore || newest.has(each),
      );
      expect(wrong).toEqual([]);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('drops all that meets every condition and nothing protects', () => {
    const property = fc.property(checkpoints, fc.nat(12), (all, keep) => {
      expect(plan(all, { keep }, new Set()).drop).toEqual(all.slice(Math.max(1, keep)));
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('keeps the greatest terminal one if asked', () => {
    const property = fc.property(checkpoints, forkBases, (all, bases) => {
      const { drop, preservedTerminal } = plan(all, { keep: 0, keepLatestTerminal: true }, bases);
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

describe('planFloor()', () => {
  const marks: readonly Keepable[] = [9, 7, 5, 3, 1].map((seq) => ({
    id: `r@${seq}`,
    seq,
    covers: seq,
    at: seq,
    status: seq === 5 ? 'completed' : 'running',
  }));
  const floor = (given: RetentionRule, bases: readonly number[] = [], latest: 'latest' | 'waiting' = 'latest') =>
    planFloor({ checkpoints: marks, rule: given, forkBases: new Set(bases), latest });

  test('drops the oldest up to the first that stays', () => {
    expect(seqs(floor({ keep: 2 }))).toEqual([1, 3, 5]);
    expect(seqs(floor({ before: 4 }))).toEqual([1, 3]);
    expect(seqs(floor({ savedBefore: 2 }))).toEqual([1]);
    expect(floor({ keep: 9 })).toEqual({ drop: [], retained: 5, preservedTerminal: [], protectedBy: [] });
  });

  test('never passes the latest, the lowest base of a fork, or the terminal one that is to stay', () => {
    expect(floor({ keep: 0 }, [], 'waiting')).toMatchObject({
      retained: 1,
      protectedBy: [{ checkpoint: 'r@9', because: 'waiting' }],
    });
    const forked = floor({ keep: 0 }, [8, 4]);
    expect(seqs(forked)).toEqual([1]);
    expect(forked.protectedBy).toEqual([{ checkpoint: 'r@3', because: 'fork' }]);
    const ended = floor({ keep: 0, keepLatestTerminal: true });
    expect(seqs(ended)).toEqual([1, 3]);
    expect(ended).toMatchObject({
      preservedTerminal: ['r@5'],
      protectedBy: [{ checkpoint: 'r@5', because: 'terminal' }],
    });
  });
});
