import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CellDraft } from '../../../delta/apply-delta.ts';
import { type Cell, cellOf, readCell } from '../../../delta/cell.ts';
import type { Delta } from '../../../delta/delta.ts';
import { diffValues } from '../../../delta/diff-values.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { mapValue } from './map-value.ts';
import { type Pattern, replaceMatches } from './patterns.ts';
import { redactDelta } from './redact-delta.ts';

const key = fc.constantFrom('a', 'b', 'c');
const mapKey = fc.oneof(key, fc.constantFrom(0, 1, true));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('secret', 'text that grows', 'text that grows longer', 1, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    fc.array(fc.tuple(mapKey, tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(fc.constantFrom('secret', 'a', 1), { maxLength: 3 }).map((items) => new Set(items)),
  ),
}));
const pattern: fc.Arbitrary<Pattern> = fc
  .array(fc.oneof(key, fc.constantFrom('*', '0', '1', '2')), { maxLength: 3 })
  .map((keys) => ['state', 'it', ...keys]);

function after(cell: Cell, delta: Delta | undefined): Cell {
  return delta === undefined ? cell : new CellDraft(cell).apply(delta).finish();
}

function redactedWhole(patterns: readonly Pattern[], whole: unknown): unknown {
  return whole === undefined ? undefined : mapValue(['state', 'it'], whole, replaceMatches(patterns));
}

describe('redactDelta()', () => {
  test('turns the redacted value before into the redacted value after', () => {
    const values = fc.array(fc.option(value, { nil: undefined, freq: 9 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(values, fc.array(pattern, { minLength: 1, maxLength: 3 }), (steps, patterns) => {
        let before: Cell;
        let shown: Cell;
        for (const step of steps) {
          const change = diffValues(readCell(before), frozenCopy(step));
          if (change === undefined) continue;
          shown = after(shown, redactDelta(patterns, 'it', before, change));
          before = after(before, change);
          expect(readCell(shown)).toEqual(redactedWhole(patterns, readCell(before)));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<readonly [what: string, before: unknown, delta: Delta, shown: Delta | undefined]>([
    ['a list that grows', [{ a: 1 }], ['+', [{ a: 'secret', b: 2 }]], ['+', [{ a: '[redacted]', b: 2 }]]],
    ['text that grows', 'so', ['+', ' on'], ['+', ' on']],
    ['items that change and move', [{ a: 1 }, 2], ['~', [[1, 1, [{ a: 3 }]]]], ['~', [[1, 1, [{ a: '[redacted]' }]]]]],
    ['an item of which only the secret changes', [{ a: 1 }], ['@', [[0, ['o', { a: ['=', 2] }, []]]], []], undefined],
    ['an item that gets a secret', [{}], ['@', [[0, ['o', { a: ['=', 2] }, []]]], []], withSecret()],
    ['no value', [1], ['-'], ['-']],
  ])('shows the change of %s, and no more', (_, before, delta, shown) => {
    expect(redactDelta([['state', 'it', '*', 'a']], 'it', cellOf(before), delta)).toEqual(shown);
  });

  test('takes no longer for a longer list', () => {
    let reads = 0;
    const item = {
      get a(): string {
        reads += 1;
        return 'secret';
      },
    };
    const before = Array.from({ length: 1_000 }, () => item);
    redactDelta([['state', 'it', '*', 'a']], 'it', before as unknown as Cell, ['+', [{ a: 'secret' }]]);
    expect(reads).toBe(0);
  });
});

function withSecret(): Delta {
  return ['@', [[0, ['o', { a: ['=', '[redacted]'] }, []]]], []];
}
