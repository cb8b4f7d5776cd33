import { expect, test } from 'vitest';
import { failureOf } from './errors.ts';

const cases: readonly (readonly [object, string, string])[] = [
  [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, '', 'busy'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 261 }, '', 'busy'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 6 }, '', 'busy'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1034 }, '', 'io'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 11 }, '', 'corrupt'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, '', 'full'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, '', 'foreign'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1 }, '', 'logic'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, '', 'readonly'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 14 }, '', 'other'],
  // The package for Node 20 tells no number when it fails to read rows.
  [{ code: 'ERR_SQLITE_ERROR' }, 'disk I/O error', 'io'],
  [{ code: 'ERR_SQLITE_ERROR' }, 'database disk image is malformed', 'corrupt'],
  [{ code: 'ERR_SQLITE_ERROR' }, 'something else', 'other'],
  [{ code: 'SQLITE_BUSY' }, '', 'busy'],
  [{ code: 'SQLITE_BUSY_SNAPSHOT' }, '', 'busy'],
  [{ code: 'SQLITE_IOERR_FSYNC' }, '', 'io'],
  [{ code: 'SQLITE_CONSTRAINT' }, '', 'other'],
  [{ code: 'ERR_OUT_OF_RANGE' }, '', 'corrupt'],
  [{}, 'Value is too large to be represented as a JavaScript number: 1', 'corrupt'],
  [{ code: 7 }, '', 'other'],
  [{}, 'database is locked', 'other'],
];

test.each(cases)('tells what %o %s means: %s', (fields, message, failure) => {
  expect(failureOf(Object.assign(new Error(message), fields))).toBe(failure);
});

test('makes nothing of what is no error', () => {
  expect(failureOf({ errcode: 5 })).toBe('other');
});
