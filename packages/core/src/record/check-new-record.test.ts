import { describe, expect, test } from 'vitest';
import { isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkNewRecord } from './check-new-record.ts';

describe('checkNewRecord()', () => {
  test('gives back what was given, copied and frozen', () => {
    const payload = { text: 'hi', list: [1] };
    const record = checkNewRecord({ id: 'a', source: 'custom:mail', payload, labels: ['x'], meta: { by: 'me' } });
    expect(record).toEqual({ id: 'a', source: 'custom:mail', payload, labels: ['x'], meta: { by: 'me' } });
    payload.list.push(2);
    expect(record.payload).toEqual({ text: 'hi', list: [1] });
    expect(isFrozenCopy(record.payload)).toBe(true);
    expect(isFrozenCopy(record.meta)).toBe(true);
  });

  test('needs nothing', () => {
    expect(checkNewRecord({})).toEqual({});
    expect(
      checkNewRecord({ id: undefined, source: undefined, labels: undefined, meta: undefined, payload: undefined }),
    ).toEqual({});
  });

  test.each<[string, unknown]>([
    ['record', null],
    ['record', 'text'],
    ['record', []],
    ['record', new Date()],
    ['kind', { kind: 'superstep' }],
    ['__proto__', JSON.parse('{"__proto__":{}}')],
    ['source', { source: 'custom:' }],
    ['source', { source: 'inputs' }],
    ['source', { source: 5 }],
    ['labels', { labels: 'x' }],
    ['labels', { labels: [''] }],
    ['labels', { labels: [1] }],
    ['meta', { meta: [] }],
    ['meta', { meta: 'x' }],
    ['meta', { meta: new Map() }],
    ['meta', { meta: null }],
  ])('refuses a wrong %s: %o', (option, record) => {
    expect(() => checkNewRecord(record)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION', details: { option } }),
    );
  });

  test('refuses an id that is none', () => {
    expect(() => checkNewRecord({ id: '12' })).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' }));
    expect(() => checkNewRecord({ id: 12 })).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' }));
  });

  test('refuses what cannot be stored, with its path', () => {
    expect(() => checkNewRecord({ payload: { f: () => 1 } })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNSERIALIZABLE', details: { path: '/payload/f' } }),
    );
  });
});
