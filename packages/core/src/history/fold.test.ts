import { describe, expect, test } from 'vitest';
import { cellOf, type FoldState, readCell } from '../delta/cell.ts';
import type { Entry, RecordKind } from '../record/record.ts';
import { isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { deltasOf, foldEntries, foldEntry } from './fold.ts';

const entry = (kind: RecordKind, payload: unknown, seq = 1): Entry => ({
  runId: 'r',
  seq,
  kind,
  id: undefined,
  source: 'system',
  at: 0,
  labels: [],
  meta: {},
  payload,
});
const values = (state: FoldState): unknown =>
  Object.fromEntries(Array.from(state, ([name, cell]) => [name, readCell(cell)]));

describe('deltasOf()', () => {
  test.each<[RecordKind]>([['run-start'], ['superstep'], ['turn'], ['migrate'], ['fork']])(
    'finds the change in a %s',
    (kind) => {
      expect(deltasOf(entry(kind, { delta: { a: ['=', 1] }, other: 1 }))).toEqual({ delta: { a: ['=', 1] } });
    },
  );

  test('finds the whole state in a migrate', () => {
    expect(deltasOf(entry('migrate', { state: { a: 1 } }))).toEqual({ state: new Map([['a', 1]]) });
    expect(deltasOf(entry('superstep', { state: { a: 1 } }))).toBeUndefined();
  });

  test('finds none in other records', () => {
    expect(deltasOf(entry('note', { delta: { a: ['=', 1] } }))).toBeUndefined();
    expect(deltasOf(entry('superstep', {}))).toBeUndefined();
    expect(deltasOf(entry('superstep', undefined))).toBeUndefined();
    expect(deltasOf(entry('superstep', null))).toBeUndefined();
  });

  test.each([[{ delta: 5 }], [{ delta: { a: 5 } }], [{ delta: [] }]])('refuses %j, naming the record', (payload) => {
    expect(() => deltasOf(entry('superstep', payload, 7))).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT', details: { runId: 'r', seq: 7 } }),
    );
    expect(() => deltasOf(entry('migrate', { state: 5 }))).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }),
    );
  });
});

describe('foldEntries()', () => {
  const journal = [
    entry('run-start', { delta: { l: ['=', []], m: ['=', {}], t: ['=', 'x'] } }),
    entry('superstep', { delta: { l: ['+', [1]], m: ['o', { a: ['=', { n: 1 }] }, []] } }, 2),
    entry('note', { text: 'n' }, 3),
    entry('superstep', { delta: { l: ['+', [2]], m: ['o', { a: ['o', { n: ['=', 2] }, []] }, []], t: ['-'] } }, 4),
  ];

  test('gives the state after each record, from any state before it', () => {
    const states: FoldState[] = [new Map()];
    for (const each of journal) states.push(foldEntry(states.at(-1) as FoldState, each));
    expect(states.map(values)).toEqual([
      {},
      { l: [], m: {}, t: 'x' },
      { l: [1], m: { a: { n: 1 } }, t: 'x' },
      { l: [1], m: { a: { n: 1 } }, t: 'x' },
      { l: [1, 2], m: { a: { n: 2 } }, t: undefined },
    ]);
    for (const [index, state] of states.entries()) {
      expect(values(foldEntries(state, journal.slice(index)))).toEqual(values(states.at(-1) as FoldState));
    }
  });

  test('replaces everything by a migrate with a state', () => {
    expect(
      values(
        foldEntries(new Map(), [
          ...journal,
          entry('migrate', { state: { only: [1] } }),
          entry('superstep', { delta: { only: ['+', [2]] } }),
        ]),
      ),
    ).toEqual({
      only: [1, 2],
    });
  });

  test('gives back the same state for records that change nothing', () => {
    const state = new Map([['a', cellOf(1)]]);
    expect(foldEntries(state, [entry('note', 1)])).toBe(state);
  });

  test('freezes what it read', () => {
    const state = foldEntries(new Map(), [entry('run-start', { delta: { a: ['=', { b: [] }] } })]);
    expect(isFrozenCopy(readCell(state.get('a')))).toBe(true);
  });

  test('names the record whose change does not fit', () => {
    expect(() => foldEntries(new Map(), [...journal, entry('superstep', { delta: { m: ['+', [1]] } }, 5)])).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT', details: { runId: 'r', seq: 5 } }),
    );
  });

  test('hides no other error', () => {
    const payload = { delta: { a: ['=', () => 1] } };
    expect(() => foldEntry(new Map(), entry('superstep', payload))).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNSERIALIZABLE' }),
    );
  });
});
