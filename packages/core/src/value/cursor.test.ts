import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCursor, parseCheckpointId, parseCursor } from './cursor.ts';

const badCursors: readonly unknown[] = [
  '',
  '@',
  'run',
  'run@',
  '@5',
  'run@-1',
  'run@01',
  'run@1.5',
  'run@1e3',
  'run@ 5',
  'run@5 ',
  'run@5\n',
  'run@9007199254740992',
  'run@99999999999999999999',
  'run@5@6',
  'a/b@5',
  'constructor@5',
  'run@0x5',
  'run@٣',
  5,
  null,
  undefined,
  {},
];
const invalidCursor = expect.objectContaining({ code: 'HOLDFAST_INVALID_CURSOR' });

describe('parseCursor()', () => {
  test('undoes formatCursor()', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9][A-Za-z0-9._:-]{0,127}$/), fc.maxSafeNat(), (runId, seq) => {
        expect(parseCursor(formatCursor(runId, seq))).toEqual({ runId, seq });
      }),
    );
  });

  test('accepts 0 and the greatest seq', () => {
    expect(parseCursor('run@0')).toEqual({ runId: 'run', seq: 0 });
    expect(parseCursor('run@9007199254740991')).toEqual({ runId: 'run', seq: Number.MAX_SAFE_INTEGER });
  });

  test.each([...badCursors, 'run@alias'].map((text) => [text]))('refuses %o', (text) => {
    expect(() => parseCursor(text)).toThrow(invalidCursor);
  });
});

describe('parseCheckpointId()', () => {
  test('distinguishes a seq from an alias', () => {
    expect(parseCheckpointId('run@5')).toEqual({ runId: 'run', seq: 5 });
    expect(parseCheckpointId('run@before-deploy')).toEqual({ runId: 'run', alias: 'before-deploy' });
    expect(parseCheckpointId('run@5a')).toEqual({ runId: 'run', alias: '5a' });
  });

  test.each(
    badCursors.filter((text) => !['run@1.5', 'run@1e3', 'run@0x5'].includes(text as string)).map((text) => [text]),
  )('refuses %o', (text) => {
    expect(() => parseCheckpointId(text)).toThrow(invalidCursor);
  });
});
