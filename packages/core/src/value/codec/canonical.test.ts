import { describe, expect, test } from 'vitest';
import { canonicalText, hashValue } from './canonical.ts';

describe('canonicalText()', () => {
  test('sorts the keys of every object and of nothing else', () => {
    const map = new Map(Object.entries({ z: { y: 1, x: 2 }, a: {} }));
    expect(canonicalText({ b: [2, 1], a: { d: 1, c: map } })).toBe(
      '{"a":{"c":{"$map":[["z",{"x":2,"y":1}],["a",{}]]},"d":1},"b":[2,1]}',
    );
  });

  test('is the same whatever the order of keys, also of those that look like numbers', () => {
    expect(canonicalText({ 10: 1, 9: 2, b: 3, a: 4 })).toBe(canonicalText({ a: 4, b: 3, 9: 2, 10: 1 }));
  });

  test('has the tags of the codec', () => {
    expect(canonicalText({ $date: -0 })).toBe('{"$$date":{"$number":"-0"}}');
    expect(canonicalText(undefined)).toBe('{"$undefined":true}');
  });

  test('keeps __proto__ as data', () => {
    expect(canonicalText(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  test('refuses what cannot be stored', () => {
    expect(() => canonicalText({ a: () => 1 })).toThrow(expect.objectContaining({ code: 'HOLDFAST_UNSERIALIZABLE' }));
  });
});

describe('hashValue()', () => {
  test('is the SHA-256 of the canonical text', () => {
    expect(hashValue({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(hashValue({ a: 1, b: 2 })).toBe(hashValue({ b: 2, a: 1 }));
    expect(hashValue('\ud800')).not.toBe(hashValue('\ud801'));
  });
});
