import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Place } from '../value/cursor.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { Keyring } from '../value/secret/keyring.ts';
import type { NewEntry } from './record.ts';
import { decodeEntry, encodeEntry, encodeSecretEntry } from './record-codec.ts';

const place = { runId: 'run', seq: 7 };
const defaults = { runId: 'run', seq: 7, id: undefined, source: 'system', labels: [], meta: {}, payload: undefined };

const anyEntry: fc.Arbitrary<NewEntry> = fc.record(
  {
    // The kinds whose payload belongs to the user. What the engine writes has a shape: see payload-shape.ts.
    kind: fc.constantFrom('note' as const, 'checkpoint' as const),
    at: fc.integer(),
    id: fc.constantFrom('msg-1', undefined),
    source: fc.constantFrom('input' as const, 'system' as const, 'custom:x' as const, undefined),
    labels: fc.array(fc.string({ minLength: 1 })),
    meta: fc.dictionary(fc.string(), fc.jsonValue()),
    payload: fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: false })
      .map((value) => frozenCopy(value)),
  },
  { requiredKeys: ['kind', 'at'] },
);

describe('encodeEntry()', () => {
  test('omits defaults', () => {
    expect(encodeEntry({ kind: 'note', at: 5 })).toBe('j{"v":1,"kind":"note","at":5}');
    expect(
      encodeEntry({ kind: 'note', at: 5, id: undefined, source: 'system', labels: [], meta: {}, payload: undefined }),
    ).toBe('j{"v":1,"kind":"note","at":5}');
    expect(
      encodeEntry({ kind: 'note', at: 5, id: 'a', source: 'input', labels: ['t'], meta: { m: 1 }, payload: null }),
    ).toBe('j{"v":1,"kind":"note","at":5,"id":"a","source":"input","labels":["t"],"meta":{"m":1},"payload":null}');
  });

  test('is undone by decodeEntry()', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const { id, source = 'system', labels = [], meta = {} } = entry;
        expect(decodeEntry(place, encodeEntry(entry))).toEqual({
          ...entry,
          ...place,
          id,
          source,
          labels,
          meta,
          payload: entry.payload,
        });
      }),
    );
  });

  test('takes a payload that is as deep as a user may store', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200; level++) deep = [deep];
    const payload = { delta: { deep: ['=', frozenCopy(deep)] } };
    expect(decodeEntry(place, encodeEntry({ kind: 'superstep', at: 1, payload })).payload).toEqual(payload);
  });
});

describe('encodeSecretEntry()', () => {
  const keyring = new Keyring([{ id: 'k', key: new Uint8Array(32).fill(1) }]);
  const entry: NewEntry = {
    kind: 'note',
    at: 5,
    id: 'a',
    source: 'input',
    labels: ['t', '\ud800'],
    meta: { m: 'secret-1' },
    payload: 'secret-2',
  };

  test('hides meta and payload, and nothing else', () => {
    const text = encodeSecretEntry(keyring, place, entry);
    expect(text).toMatch(
      /^j\{"v":2,"kind":"note","at":5,"id":"a","source":"input","labels":\["t",.*"secret":\{"key":"k",/,
    );
    expect(text).not.toContain('secret-');
    expect(decodeEntry(place, text, keyring.read)).toEqual({ ...place, ...entry });
    const bare = encodeSecretEntry(keyring, place, { kind: 'fork', at: 1 });
    expect(decodeEntry(place, bare, keyring.read)).toEqual({ ...defaults, kind: 'fork', at: 1 });
  });

  test('binds them to their position and to the readable fields', () => {
    const text = encodeSecretEntry(keyring, place, entry);
    const read = (at: Place, given: string): unknown => decodeEntry(at, given, keyring.read);
    const refused = expect.objectContaining({ code: 'HOLDFAST_CORRUPT' });
    expect(() => read({ runId: 'run', seq: 8 }, text)).toThrow(refused);
    expect(() => read({ runId: 'other', seq: 7 }, text)).toThrow(refused);
    expect(() => read(place, text.replace('"note"', '"answer"'))).toThrow(refused);
    expect(() => read(place, text.replace('"at":5', '"at":6'))).toThrow(refused);
    expect(() => read(place, text.replace('"id":"a",', ''))).toThrow(refused);
    expect(() => read(place, text.replace('"input"', '"output"'))).toThrow(refused);
    expect(() => read(place, text.replace('"t"', '"u"'))).toThrow(refused);
  });

  test('takes a payload as large as a plain record does', () => {
    const payload = 'x'.repeat(15_000_000);
    const text = encodeSecretEntry(keyring, place, { kind: 'note', at: 1, payload });
    expect(decodeEntry(place, text, keyring.read).payload === payload).toBe(true);
  });

  test('is refused without a key, or read without its content if allowed', () => {
    const text = encodeSecretEntry(keyring, place, entry);
    const missing = { code: 'HOLDFAST_MISSING_KEY', details: { key: 'k', where: 'run@7' } };
    expect(() => decodeEntry(place, text)).toThrow(expect.objectContaining(missing));
    expect(decodeEntry(place, text, () => undefined)).toEqual({ ...place, ...entry, meta: {}, payload: undefined });
  });
});

describe('decodeEntry()', () => {
  test('fills in the defaults', () => {
    expect(decodeEntry(place, 'j{"v":1,"kind":"note","at":5}')).toEqual({ ...defaults, kind: 'note', at: 5 });
  });

  test('refuses a newer version', () => {
    expect(() => decodeEntry(place, 'j{"v":3,"what":1}')).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_UNKNOWN_FORMAT',
        details: { runId: 'run', seq: 7, version: 3 },
        message: expect.stringMatching(/newer version.*Nothing was written/),
      }),
    );
    expect(() => decodeEntry(place, 'x{}')).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_UNKNOWN_FORMAT',
        details: { where: 'run@7', runId: 'run', seq: 7, format: 'x' },
      }),
    );
  });

  test.each([
    'j',
    'j1',
    'j[]',
    'jnull',
    'j{"$map":[]}',
    'j{"kind":"note","at":5}',
    'j{"v":"1","kind":"note","at":5}',
    'j{"v":1,"kind":"party","at":5}',
    'j{"v":1,"kind":"toString","at":5}',
    'j{"v":1,"at":5}',
    'j{"v":1,"kind":"note"}',
    'j{"v":1,"kind":"note","at":"5"}',
    'j{"v":1,"kind":"note","at":{"$number":"NaN"}}',
    'j{"v":1,"kind":"note","at":5,"id":"5"}',
    'j{"v":1,"kind":"note","at":5,"id":null}',
    'j{"v":1,"kind":"note","at":5,"source":"x"}',
    'j{"v":1,"kind":"note","at":5,"labels":"x"}',
    'j{"v":1,"kind":"note","at":5,"labels":[""]}',
    'j{"v":1,"kind":"note","at":5,"labels":[1]}',
    'j{"v":1,"kind":"note","at":5,"meta":[]}',
    'j{"v":1,"kind":"note","at":5,"extra":1}',
    'j{"v":1,"kind":"note","at":5,"__proto__":{}}',
    'j{"v":1,"kind":"note","at":5,"payload":{"$class":"x"}}',
    'j{"v":1,"kind":"note","at":5,"secret":{"key":"k","data":""}}',
    'j{"v":2,"kind":"note","at":5}',
    'j{"v":2,"kind":"note","at":5,"secret":"k"}',
    'j{"v":2,"kind":"note","at":5,"secret":{"key":"k"}}',
    'j{"v":2,"kind":"note","at":5,"secret":{"key":"k","data":1}}',
    'j{"v":2,"kind":"note","at":5,"secret":{"key":"k","data":""},"payload":1}',
  ])('refuses the corrupt %s with its position', (text) => {
    expect(() => decodeEntry(place, text)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_CORRUPT',
        details: { where: 'run@7', runId: 'run', seq: 7 },
        message: expect.stringContaining('run@7'),
      }),
    );
  });
});
