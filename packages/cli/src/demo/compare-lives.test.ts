import { describe, expect, test } from 'vitest';
import { compareLives } from './compare-lives.ts';
import type { Trace } from './support-agent.ts';

function life(...calls: readonly (readonly [string, ...Trace['how'][]])[]): readonly Trace[] {
  return calls.flatMap(([call, ...hows]) => hows.map((how) => ({ runId: 'r', call, how })));
}

describe('compareLives()', () => {
  test('distinguishes executed, killed, replayed, kept and executed twice', () => {
    const first = life(
      ['a', 'reached', 'begun', 'executed'],
      ['b', 'reached', 'begun', 'executed'],
      ['c', 'reached', 'begun'],
    );
    const second = life(['b', 'reached'], ['c', 'reached', 'begun', 'executed'], ['d', 'reached', 'begun', 'executed']);
    expect(compareLives(first, second).map(({ call, first, second }) => [call, first, second])).toEqual([
      ['a', 'executed', 'kept'],
      ['b', 'executed', 'replayed'],
      ['c', 'killed', 'executed'],
      ['d', '', 'executed'],
    ]);
    expect(compareLives(first, first)[0]).toMatchObject({ first: 'executed', second: 'executed' });
  });
});
