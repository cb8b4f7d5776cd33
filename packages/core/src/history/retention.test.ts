import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { type Keepable, planRetention, type RetentionRule } from './retention.ts';
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

describe('planRetention()', () => {
  test.prop([checkpoints, rule, forkBases])(
    'never drops the latest, nor what a fork stands on',
    (all, given, bases) => {
      const { drop } = planRetention({ checkpoints: all, rule: given, forkBases: bases });
      expect(drop).not.toContain(all[0]);
      expect(drop.filter(({ seq }) => bases.has(seq))).toEqual([]);
    },
  );

  test.prop([checkpoints, rule, forkBases])('accounts for every checkpoint exactly once', (all, given, bases) => {
    const plan = planRetention({ checkpoints: all, rule: given, forkBases: bases });
    expect(plan.drop.length + plan.retained).toBe(all.length);
    const dropped = new Set(plan.drop.map(({ id }) => id));
    for (const { checkpoint } of plan.protectedBy) expect(dropped.has(checkpoint)).toBe(false);
  });

  test.prop([checkpoints, rule, forkBases])('drops only what meets every condition', (all, given, bases) => {
    const { drop } = planRetention({ checkpoints: all, rule: given, forkBases: bases });
    for (const { covers, at, seq } of drop) {
      if (given.before !== undefined) expect(covers).toBeLessThan(given.before);
      if (given.savedBefore !== undefined) expect(at).toBeLessThan(given.savedBefore);
      if (given.keep !== undefined) expect(all.slice(0, given.keep).map((kept) => kept.seq)).not.toContain(seq);
    }
  });

  test.prop([checkpoints, forkBases])('keeps the greatest terminal one if asked', (all, bases) => {
    const { drop, preservedTerminal } = planRetention({
      checkpoints: all,
      rule: { keep: 0, keepLatestTerminal: true },
      forkBases: bases,
    });
    const latest = all.find(({ status }) => isTerminal(status));
    expect(preservedTerminal).toEqual(latest === undefined ? [] : [latest.id]);
    expect(drop).not.toContain(latest ?? 'none');
  });
});
