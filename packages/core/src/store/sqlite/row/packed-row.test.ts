import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf, packRecords, unpackRecords } from './packed-row.ts';

const record = fc.record({
  text: fc.string({ unit: 'grapheme' }),
  crc: fc.nat({ max: 2 ** 32 - 1 }),
});

test('gives back the records that it packed', () => {
  const parts = fc.array(record, { minLength: 1, maxLength: 5 });
  const roundTrip = fc.property(parts, fc.nat(), (parts, head) => {
    const records = parts.map((part, at) => ({ ...part, seq: head + at + 1 }));
    const packed = packRecords(records);
    expect(unpackRecords(packed)).toEqual(records);
    expect(countOf(packed.parts)).toBe(records.length);
    expect(packed.seq).toBe(head + records.length);
  });
  fc.assert(roundTrip);
});
