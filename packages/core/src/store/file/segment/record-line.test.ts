import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareEntry, encodeEntry } from '../../../record/record-codec.ts';
import type { StoredRecord } from '../../contract/commit.ts';
import { decodeRecord, encodeRecord, seqOfLine } from './record-line.ts';

function isExact(record: StoredRecord): boolean {
  const line = encodeRecord(record);
  // What ends a line, and what an empty place of a file has.
  for (const mark of ['\n', '\t', '\0']) expect(line).not.toContain(mark);
  // What is written is UTF-8.
  expect(decodeRecord(Buffer.from(line).toString())).toEqual(record);
  return true;
}

describe('the line of a record', () => {
  test('has its JSON among its own members', () => {
    const record = { seq: 5, id: 'chosen', text: 'j{"v":1,"kind":"note","payload":[1,{"crc":2}]}', crc: 7 };
    expect(encodeRecord(record)).toBe('{"seq":5,"v":1,"kind":"note","payload":[1,{"crc":2}],"crc":7,"key":"chosen"');
    expect(isExact(record)).toBe(true);
  });

  test('is the same whether it is known what its text says or not', () => {
    for (const payload of [undefined, { next: ['a\nb', '\ud800', 'ü'] }, 'text']) {
      const entry = { kind: 'note', at: 5, payload } as const;
      const record = { seq: 5, id: undefined, text: encodeEntry(entry), crc: 7 };
      expect(encodeRecord({ ...record, bare: bareEntry(entry) })).toBe(encodeRecord(record));
      expect(isExact(record)).toBe(true);
    }
  });

  test.each([
    'j{}',
    'j[1]',
    'j',
    '',
    'k{"a":1}',
    'j{"a":1} ',
    'j{"a":\n1}',
    'j{"a":\t\t1}',
    'j{"a":\0\0}',
    'j{"text":"x"}',
    'j{"text":"x","b":1}',
    'j{"a":"\ud800"}',
    'j{"key":"x","crc":1}',
    'j{"a":1,"crc":2,"key":"no"}',
    'j{"a":",\\"key\\":\\"x\\""}',
    'j{"}',
    'j{","crc":5}',
  ])('gives a text back to the letter: %j', (text) => {
    for (const id of [undefined, 'id', ',"crc":1', '"', '\ud800', '\\']) {
      for (const crc of [0, 1, 4_294_967_295, -1]) expect(isExact({ seq: 9, id, text, crc })).toBe(true);
    }
  });

  test('gives any text back to the letter', () => {
    const texts = fc.oneof(
      fc.json().map((json) => `j${json}`),
      fc.object().map((value) => `j${JSON.stringify(value)}`),
      fc.string({ unit: 'binary' }),
    );
    const records = fc.record({
      seq: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      id: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      text: texts,
      crc: fc.nat(),
    });
    fc.assert(fc.property(records, isExact));
    expect.hasAssertions();
  });

  test('says its seq in its first bytes', () => {
    expect(seqOfLine(Buffer.from('{"seq":12,"v":1'))).toBe(12);
    expect(seqOfLine(Buffer.from('{"seq":"12"'))).toBe(undefined);
    expect(seqOfLine(Buffer.from(''))).toBe(undefined);
  });
});
