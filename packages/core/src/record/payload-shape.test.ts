import { describe, expect, test } from 'vitest';
import { fitsKind } from './payload-shape.ts';
import { type RecordKind, recordKinds } from './record.ts';

const error = { name: 'Error', message: 'broken', cause: { name: 'TypeError', message: 'x' } };
const call = { node: 'n', name: 's' };

/** Payloads that fit, by kind. */
const good: Readonly<Record<RecordKind, readonly unknown[]>> = {
  'run-start': [{ graph: 'g', version: 1, fingerprint: 'f', hash: 'h', next: ['a'] }],
  task: [{ node: 'n' }, { node: 'n', item: 0, of: 2, goto: 'end', update: {} }],
  superstep: [{}, { next: ['a'], joins: { j: ['a'] }, counts: { e: 2 } }],
  result: [call, { ...call, n: 1, error }, { ...call, take: 3 }],
  intent: [{ ...call, key: 'k' }],
  wait: [
    { ...call, id: 'i', kind: 'ask', until: 5 },
    { node: 'n', again: true },
  ],
  answer: [
    { name: 'q', value: 1, by: 'ada' },
    { wait: 'w', of: 3, refused: error },
    { wait: 'w', child: 'c' },
  ],
  message: [
    { name: 'm', value: 1 },
    { turn: 't', hash: 'h', update: {} },
    { name: 'm', of: 1, refused: error },
  ],
  timer: [{}, { wait: 'w' }],
  attempt: [
    { node: 'n', error },
    { ...call, error, retryAt: 5 },
  ],
  emit: [{ items: [] }, { items: [{ node: 'n', data: 1 }] }],
  log: [
    { node: 'n', message: 'm' },
    { node: 'n', attempt: 2, inStep: true, message: 'm', data: [1] },
  ],
  turn: [{ of: 1, turn: 't', next: [], settings: { maxSupersteps: 5, pauseBefore: ['a'] } }],
  pause: [{ when: 'before', nodes: ['a'] }],
  resume: [{}, { maxSupersteps: Number.POSITIVE_INFINITY }],
  cancel: [{}, { reason: 'r' }],
  settle: [
    { key: 'k', outcome: 'retry' },
    { key: 'k', outcome: { error: 'e' } },
    { key: 'k', outcome: { result: undefined } },
  ],
  'run-end': [{ status: 'completed' }, { status: 'failed', error }],
  fork: [undefined, {}, { label: 'l', next: ['a'] }],
  migrate: [{ version: 2, fingerprint: 'f', state: {}, nodes: { a: 'b' }, asks: {} }],
  note: [undefined, null, 1, {}],
  checkpoint: [undefined, 'anything'],
};

/** The kinds whose payload belongs to the user. */
const free: ReadonlySet<RecordKind> = new Set(['note', 'checkpoint']);

describe('fitsKind()', () => {
  test.each(recordKinds)('accepts every payload that the engine writes for %s', (kind) => {
    for (const payload of good[kind]) expect(fitsKind(kind, payload), JSON.stringify(payload)).toBe(true);
  });

  test.each(recordKinds.filter((kind) => !free.has(kind)))('refuses anything else for %s', (kind) => {
    for (const bad of [null, 1, 'text', [], new Map()]) expect(fitsKind(kind, bad)).toBe(false);
    for (const payload of good[kind]) {
      const fields = Object.keys(Object(payload) as object).filter((field) => !userFields.has(field));
      for (const field of fields) expect(fitsKind(kind, { ...(payload as object), [field]: hostile })).toBe(false);
    }
  });

  test('refuses limits that are none', () => {
    for (const maxSupersteps of [0, -1, 0.5, Number.NaN, '5'])
      expect(fitsKind('resume', { maxSupersteps })).toBe(false);
  });
});

/** Not looked into. */
const userFields: ReadonlySet<string> = new Set(['value', 'data']);
const hostile = Symbol('hostile');
