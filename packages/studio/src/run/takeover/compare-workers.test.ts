import type { Json, RecordJson } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { compareWorkers, type Fate } from './compare-workers.ts';

function records(given: readonly (readonly [kind: string, payload: Json])[]): readonly RecordJson[] {
  return given.map(([kind, payload], index) => ({
    runId: 'r',
    seq: index + 1,
    id: `r@${index + 1}`,
    kind,
    source: 'system',
    at: new Date(index).toISOString(),
    labels: [],
    meta: {},
    payload,
  }));
}

const before = [
  ['run-start', { next: ['plan'] }],
  ['result', { node: 'plan', name: 'model' }],
  ['superstep', { next: ['lookup', 'policy', 'fraud'] }],
  ['task', { node: 'policy' }],
  ['attempt', { node: 'lookup', name: 'parcel', error: { message: 'HTTP 503' } }],
  ['result', { node: 'fraud', name: 'device score' }],
] as const;
const open = { nodes: ['lookup', 'policy', 'fraud'], startSeq: 3, isDead: true };

/** What became, in the first worker, of the calls that were in flight. */
function fates(isDead: boolean): readonly Fate[] {
  const { calls } = compareWorkers(records(before), {}, { ...open, isDead });
  return calls.filter(({ seq }) => seq === undefined).map(({ first }) => first);
}

describe('compareWorkers()', () => {
  test('tells what was kept, replayed and executed again', () => {
    const after = [
      ['result', { node: 'lookup', name: 'parcel' }],
      ['task', { node: 'lookup' }],
      ['result', { node: 'fraud', name: 'address history' }],
    ] as const;
    const { calls, ...counts } = compareWorkers(records([...before, ...after]), { seq: 7 }, open);
    expect(calls.map(({ node, call, first, second }) => [node, call, first, second])).toEqual([
      ['plan', 'model', 'executed', 'kept'],
      ['policy', '', 'executed', 'kept'],
      ['lookup', 'parcel', 'failed', 'kept'],
      ['fraud', 'device score', 'executed', 'replayed'],
      ['lookup', 'parcel', 'killed', 'executed'],
      ['fraud', 'address history', 'killed', 'executed'],
    ]);
    expect(counts).toEqual({ kept: 3, replayed: 1, again: 2, twice: 0 });
  });

  test('before the takeover nothing is replayed yet, and what is in flight is unknown', () => {
    const { calls, replayed, again } = compareWorkers(records(before), {}, open);
    expect(calls.filter(({ first }) => first === 'killed').map(({ node, second }) => [node, second])).toEqual([
      ['lookup', undefined],
      ['fraud', undefined],
    ]);
    expect([replayed, again]).toEqual([0, 2]);
  });

  test('finds a call that has two results', () => {
    const after = [['result', { node: 'fraud', name: 'device score' }]] as const;
    expect(compareWorkers(records([...before, ...after]), { seq: 7 }, open).twice).toBe(1);
    const next = [
      ['superstep', { next: ['fraud'] }],
      ['result', { node: 'fraud', name: 'device score' }],
    ] as const;
    expect(compareWorkers(records([...before, ...next]), { seq: 7 }, open).twice).toBe(0);
  });

  test('calls of a worker that lives are being executed, not killed', () => {
    expect(fates(false)).toEqual(['executing', 'executing']);
    expect(fates(true)).toEqual(['killed', 'killed']);
  });
});
