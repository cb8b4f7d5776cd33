import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeEntry } from '../../../record/record-codec.ts';
import { lengthenText, shortenText } from './short-text.ts';

describe('shortenText()', () => {
  test('leaves of a step its kind, its time and what it holds', () => {
    const text = encodeEntry({ kind: 'superstep', at: 1_763_000_000_000, payload: { next: ['a b'] } });

    expect(shortenText(text)).toBe('superstep mhwsoi68 {"next":["a b"]}');
  });

  test('leaves of a record that holds nothing its kind and its time', () => {
    expect(shortenText(encodeEntry({ kind: 'fork', at: 5 }))).toBe('fork 5');
  });

  test('keeps a record with labels, and one with a time before 1970, as they are', () => {
    const labelled = encodeEntry({ kind: 'note', at: 5, labels: ['x'], payload: 1 });
    const early = encodeEntry({ kind: 'note', at: -5, payload: 1 });

    for (const text of [labelled, early]) expect(shortenText(text)).toBe(text);
  });
});

describe('lengthenText()', () => {
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
    ['a time that is not as one is written', fc.constant('j{"v":1,"kind":"superstep","at":05}')],
    ['anything that looks like a short one', fc.constantFrom('', 'step 5', 'step 5 {}', '!', '!step 5', '}', 'j}')],
    ['any text', fc.string({ unit: 'grapheme' })],
  ])('gives back %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(lengthenText(shortenText(text))).toBe(text);
      }),
    );
  });
});
