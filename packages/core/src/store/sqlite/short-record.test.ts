import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordKinds } from '../../record/record.ts';
import { bareEntry, encodeEntry } from '../../record/record-codec.ts';
import { lengthenRecord, shortenRecord } from './short-record.ts';

describe('shortenRecord()', () => {
  test('leaves of a step its kind, its time and what it holds', () => {
    const text = encodeEntry({ kind: 'superstep', at: 1_763_000_000_000, payload: { next: ['a b'] } });

    expect(shortenRecord({ text })).toBe('superstep mhwsoi68 {"next":["a b"]}');
  });

  test('leaves of a record that holds nothing its kind and its time', () => {
    expect(shortenRecord({ text: encodeEntry({ kind: 'fork', at: 5 }) })).toBe('fork 5');
  });

  test('keeps a record with tags, and one with a time that is none, as they are', () => {
    const tagged = encodeEntry({ kind: 'note', at: 5, labels: ['x'], payload: 1 });
    const early = encodeEntry({ kind: 'note', at: -5, payload: 1 });
    const late = encodeEntry({ kind: 'note', at: 2 ** 60, payload: 1 });
    const padded = 'j{"v":1,"kind":"superstep","at":05}';

    for (const text of [tagged, early, late, padded]) expect(shortenRecord({ text })).toBe(text);
  });
});

test.each(recordKinds)(
  'a %s record is shortened in the same way whether it is known what its text says or not',
  (kind) => {
    for (const at of [1, 36 ** 5 - 1, 36 ** 5, 1_763_000_000_000, Number.MAX_SAFE_INTEGER]) {
      for (const payload of [undefined, { next: ['a b'], n: 1 }, 'text']) {
        const bare = bareEntry({ kind, at, payload });
        const text = encodeEntry({ kind, at, payload });
        expect(bare).toBeDefined();
        expect(shortenRecord({ text, bare })).toBe(shortenRecord({ text }));
      }
    }
  },
);

describe('lengthenRecord()', () => {
  test.each(['note MWKZ0851 1', 'note 000mwkz0851 1', 'note mwkz0851x- 1'])(
    'gives another text for a time that is not as it was written: %s',
    (short) => {
      const text = lengthenRecord('note mwkz0851 1');
      expect(shortenRecord({ text })).toBe('note mwkz0851 1');
      expect(lengthenRecord(short)).not.toBe(text);
    },
  );

  const whole = fc.record({
    kind: fc.constantFrom('superstep', 'run-start', 'result', 'note'),
    at: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    id: fc.option(fc.constant('x'), { nil: undefined }),
    payload: fc.jsonValue(),
  });

  test.each([
    ['a record', whole.map((entry) => encodeEntry(entry as Parameters<typeof encodeEntry>[0]))],
    [
      'the beginning of a record',
      fc.constantFrom('j{"v":1,"kind":"superstep","at":5', 'j{"v":1,"kind":"superstep","at":5,"payload":'),
    ],
    ['anything that looks like a short one', fc.constantFrom('', 'step 5', 'step 5 {}', '!', '!step 5', '}', 'j}')],
    ['any text', fc.string({ unit: 'grapheme' })],
  ])('gives back %s', (_, texts) => {
    const roundTrip = fc.property(texts, (text) => {
      expect(lengthenRecord(shortenRecord({ text }))).toBe(text);
    });
    fc.assert(roundTrip);
  });
});
