import { describe, expect, test } from 'vitest';
import { checkKeys } from './encryption-key.ts';

const key = new Uint8Array(32).fill(7);

describe('checkKeys()', () => {
  test('gives the keys back', () => {
    const keys = [
      { id: '2026-11', key },
      { id: 'a.B_9', key: Buffer.alloc(32) },
    ];
    expect(checkKeys({ keys })).toEqual(keys);
  });

  test.each([
    ['nothing', undefined],
    ['the keys alone', [{ id: 'a', key }]],
    ['no list of keys', { keys: { id: 'a', key } }],
    ['no key at all', { keys: [] }],
    ['something else than a key', { keys: [null] }],
    ['a key without an id', { keys: [{ key }] }],
    ['an empty id', { keys: [{ id: '', key }] }],
    ['an id with a space', { keys: [{ id: 'a b', key }] }],
    ['an id of 65 characters', { keys: [{ id: 'a'.repeat(65), key }] }],
    ['a key of 31 bytes', { keys: [{ id: 'a', key: key.subarray(1) }] }],
    ['a key of 33 bytes', { keys: [{ id: 'a', key: new Uint8Array(33) }] }],
    ['a key as text', { keys: [{ id: 'a', key: 'k'.repeat(32) }] }],
    ['a key as words of 32 bits', { keys: [{ id: 'a', key: new Uint32Array(32) }] }],
    [
      'two keys of one id',
      {
        keys: [
          { id: 'a', key },
          { id: 'a', key: new Uint8Array(32) },
        ],
      },
    ],
  ])('refuses %s', (_, encryption) => {
    expect(() => checkKeys(encryption)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_OPTION',
        details: expect.objectContaining({ option: 'encryption' }),
      }),
    );
  });

  test('shows no key in its message', () => {
    expect(() => checkKeys({ keys: [{ id: 'a', key: 'hunter2' }] })).toThrow(/^(?!.*hunter2)/);
  });
});
