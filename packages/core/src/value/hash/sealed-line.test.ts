import { describe, expect, test } from 'vitest';
import { isSealedLine, openLine, openOnlyLine, sealLine } from './sealed-line.ts';

const line = Buffer.from(sealLine('7 ', '{"a":"é"'));
const withoutNewline = line.subarray(0, -1);

describe('sealLine()', () => {
  test('returns one line of JSON with one more member', () => {
    const { sum, ...rest } = JSON.parse(line.toString()) as { readonly sum: string };
    expect(rest).toEqual({ a: 'é' });
    expect(sum).toMatch(/^[0-9a-f]{8}$/);
    expect(openLine('7 ', withoutNewline)).toBe('{"a":"é"');
    expect(openOnlyLine('7 ', line)).toBe('{"a":"é"');
  });

  test('detects every flipped bit and every other position', () => {
    expect(isSealedLine('8 ', withoutNewline)).toBe(false);
    for (let at = 0; at < withoutNewline.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = Buffer.from(withoutNewline);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        expect(isSealedLine('7 ', flipped)).toBe(false);
      }
    }
  });

  test('detects a truncated line', () => {
    for (let length = 0; length < withoutNewline.length; length += 1) {
      expect(openLine('7 ', withoutNewline.subarray(0, length))).toBeUndefined();
      expect(openOnlyLine('7 ', line.subarray(0, length))).toBeUndefined();
    }
  });
});
