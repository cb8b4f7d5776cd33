import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredId, StoredRecord } from '../../contract/commit.ts';
import { decodeRecord, encodeRecord, encodeRecords, idOf, seqOfLine, tokenOf } from './record-line.ts';

function isExact(
  record: StoredRecord,
  { token, id }: { token?: string | undefined; id?: StoredId | undefined } = {},
): boolean {
  const line = encodeRecord(record, { token, id });
  // What ends a line, and what an empty place of a file has.
  for (const mark of ['\n', '\t', '\0']) expect(line).not.toContain(mark);
  // What is written is UTF-8.
  const read = Buffer.from(line).toString();
  expect(decodeRecord(read)).toEqual(record);
  expect(tokenOf(read)).toBe(token);
  expect(idOf(read)).toEqual(id);
  return true;
}

describe('the line of a record', () => {
  test('has the JSON of the record after its own members', () => {
    const record = { seq: 5, text: 'j{"v":1,"kind":"note","payload":[1,{"crc":2}]}', crc: 7 };
    const id = { id: 'chosen', seq: 5, at: 9, crc: -3, text: 'hash' };
    expect(encodeRecord(record, { id })).toBe(
      '{"seq":5,"crc":7,"key":["chosen",9,-3,"hash"],"v":1,"kind":"note","payload":[1,{"crc":2}]',
    );
    expect(isExact(record, { id })).toBe(true);
  });

  test('has the token of its batch if it is the first one of it', () => {
    const records = [1, 2].map((seq) => ({ seq, text: 'j{"v":1}', crc: 7 }));
    const lines = encodeRecords({ records, ids: [], token: 'abc.1' });
    expect(lines).toEqual(['{"seq":1,"crc":7,"token":"abc.1","v":1', '{"seq":2,"crc":7,"v":1']);
    expect(lines.map(tokenOf)).toEqual(['abc.1', undefined]);
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
    'j{"token":"x","crc":1}',
    'j{"key":"x","token":"y","z":1}',
    'j{"a":1,"crc":2,"key":"no"}',
    'j{"a":",\\"key\\":\\"x\\""}',
    'j{"}',
    'j{","crc":5}',
  ])('gives a text back to the letter: %j', (text) => {
    for (const id of [undefined, 'id', ',"crc":1', '"', '\ud800', '\\']) {
      for (const token of [undefined, 'abc.1', '"', '\\', ',"v":1']) {
        for (const crc of [0, 4_294_967_295, -1]) {
          const known = id === undefined ? undefined : { id, seq: 9, at: crc, crc, text: id };
          expect(isExact({ seq: 9, text, crc }, { token, id: known })).toBe(true);
        }
      }
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
      text: texts,
      crc: fc.nat(),
    });
    const texts16 = fc.string({ unit: 'binary' });
    const tokens = fc.option(texts16, { nil: undefined });
    const ids = fc.option(fc.record({ id: texts16, at: fc.integer(), crc: fc.integer(), text: texts16 }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(records, tokens, ids, (record, token, id) =>
        isExact(record, { token, id: id && { ...id, seq: record.seq } }),
      ),
    );
    expect.hasAssertions();
  });

  test('says its seq in its first bytes', () => {
    expect(seqOfLine(Buffer.from('{"seq":12,"v":1'))).toBe(12);
    expect(seqOfLine(Buffer.from('{"seq":"12"'))).toBe(undefined);
    expect(seqOfLine(Buffer.from(''))).toBe(undefined);
  });
});
