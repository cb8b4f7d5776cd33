import { describe, expect, test } from 'vitest';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../contract/read.ts';
import { checkIdQuery, checkLoadQuery, checkRecordQuery, checkRunsQuery, checkSnapshotQuery } from './check-query.ts';

const invalidOption = expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' });
const invalidId = expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' });

const records = { runId: 'run', order: 'oldest', limit: 1 } as const;
const snapshots = { runId: 'run', limit: 1, bodies: true } as const;
const runs = { order: 'newest', limit: 1 } as const;

const badIds = ['../x', 'a/b', '.', '', 'a\u0000', 'x'.repeat(300), 'ä', '__proto__', {}, 7, null];
const badSeqs = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', '1; DROP TABLE runs', null, {}];
const badLimits = [0, -1, 1_001, 1.5, '1', '1; DROP TABLE runs', Number.NaN, null];

describe('checkIdQuery()', () => {
  test('gives the query back', () => {
    const query = { runId: 'run', id: 'chosen', upTo: 3, after: 'x', limit: 1_000 };
    expect(checkIdQuery(query)).toBe(query);
  });

  test.each(badIds)('refuses %o as the id of a run or a record', (bad) => {
    expect(() => checkIdQuery({ runId: bad as string, limit: 1 })).toThrow(invalidId);
    expect(() => checkIdQuery({ runId: 'run', id: bad as string, limit: 1 })).toThrow(invalidId);
  });
});

describe('checkRecordQuery()', () => {
  test('gives the query back', () => {
    const query: RecordQuery = { ...records, after: 0, before: 9, limit: 1_000 };
    expect(checkRecordQuery(query)).toBe(query);
    expect(() => checkRecordQuery({ ...records, after: undefined })).not.toThrow();
  });

  test.each(badIds)('refuses %o as the id of a run', (bad) => {
    expect(() => checkRecordQuery({ ...records, runId: bad as string })).toThrow(invalidId);
  });

  test('refuses a query without a run, an order or a limit', () => {
    expect(() => checkRecordQuery({ ...records, runId: undefined as never })).toThrow(invalidId);
    expect(() => checkRecordQuery({ order: 'oldest', limit: 1 } as RecordQuery)).toThrow(invalidId);
    expect(() => checkRecordQuery({ runId: 'run', limit: 1 } as RecordQuery)).toThrow(invalidOption);
    expect(() => checkRecordQuery({ runId: 'run', order: 'oldest' } as RecordQuery)).toThrow(invalidOption);
  });

  test.each(badSeqs)('refuses %o as a seq', (bad) => {
    expect(() => checkRecordQuery({ ...records, after: bad as number })).toThrow(invalidOption);
    expect(() => checkRecordQuery({ ...records, before: bad as number })).toThrow(invalidOption);
  });

  test.each(badLimits)('refuses %o as a limit', (limit) => {
    expect(() => checkRecordQuery({ ...records, limit: limit as number })).toThrow(invalidOption);
  });

  test('refuses an order that there is not', () => {
    expect(() => checkRecordQuery({ ...records, order: 'DESC' as 'newest' })).toThrow(invalidOption);
  });
});

describe('checkSnapshotQuery()', () => {
  test('gives the query back', () => {
    const query: SnapshotQuery = { ...snapshots, covers: 3, before: { covers: 2, seq: 1 }, bodies: false };
    expect(checkSnapshotQuery(query)).toBe(query);
  });

  test.each([
    { bodies: 1 },
    { bodies: undefined },
    { covers: -1 },
    { before: 3 },
    { before: [] },
    { before: null },
    { before: { covers: 1 } },
    { before: { covers: '1', seq: 1 } },
    { limit: 0 },
    { order: 'newest' },
  ])('refuses %o', (part) => {
    expect(() => checkSnapshotQuery({ ...snapshots, ...(part as object) })).toThrow(invalidOption);
  });
});

describe('checkLoadQuery()', () => {
  test('gives the query back', () => {
    for (const query of [
      { runId: 'run', limit: 0 },
      { runId: 'run', upTo: 0, before: { covers: 1, seq: 2 }, limit: 1_000 },
    ]) {
      expect(checkLoadQuery(query)).toBe(query);
    }
  });

  test.each([
    { limit: undefined },
    { limit: -1 },
    { limit: 1_001 },
    { upTo: -1 },
    { upTo: 1.5 },
    { before: { covers: 1 } },
    { order: 'oldest' },
  ])('refuses %o', (part) => {
    expect(() => checkLoadQuery({ runId: 'run', limit: 1, ...(part as object) })).toThrow(invalidOption);
  });

  test.each(badIds)('refuses %o as a run', (bad) => {
    expect(() => checkLoadQuery({ runId: bad as string, limit: 1 })).toThrow(invalidId);
  });
});

describe('checkRunsQuery()', () => {
  test('gives the query back', () => {
    const query: RunsQuery = {
      ...runs,
      runIds: ['run', 'other'],
      worker: 'worker',
      status: ['failed', 'waiting'],
      graph: "'; DROP TABLE runs; --",
      node: 'n',
      waits: 'ask',
      tags: { [`"' OR 1=1`]: '%' },
      parentId: 'mother',
      forkOf: 'base',
      idPrefix: '%_',
      updatedBefore: 1.5,
      hidden: true,
      after: { createdAt: 1, runId: 'last' },
    };
    expect(checkRunsQuery(query)).toBe(query);
  });

  test.each(['statuz', 'where', '__proto__', 'constructor', 'toString', 'limit; DROP TABLE runs'])(
    'takes an unknown filter %o for an error, never for "all"',
    (filter) => {
      const query = { ...runs, [filter]: 'x' } as RunsQuery;
      expect(() => checkRunsQuery(query)).toThrow(invalidOption);
      expect(() => checkRunsQuery(query)).toThrow(expect.objectContaining({ details: { filter } }));
    },
  );

  test('says which filters there are', () => {
    expect(() => checkRunsQuery({ ...runs, statuz: 1 } as RunsQuery)).toThrow(/no filter "statuz".*status, graph/);
  });

  test.each([
    { runIds: 'run' },
    { runIds: Array.from({ length: 1_001 }, () => 'run') },
    { status: 'failed' },
    { status: [] },
    { status: ['failed', 'lost'] },
    { status: ['failed', { $ne: 1 }] },
    { graph: { $ne: 'x' } },
    { node: 7 },
    { waits: 'asks' },
    { waits: ['ask'] },
    { tags: { a: 1 } },
    { tags: ['a'] },
    { tags: 'a' },
    { tags: { a: { $gt: '' } } },
    { idPrefix: 1 },
    { updatedBefore: 'now()' },
    { updatedBefore: Number.NaN },
    { hidden: 'true' },
    { order: undefined },
    { after: 'run' },
    { after: { createdAt: '1', runId: 'run' } },
    { limit: '10' },
  ])('refuses %o', (part) => {
    expect(() => checkRunsQuery({ ...runs, ...(part as object) })).toThrow(invalidOption);
  });

  test.each(badIds)('refuses %o wherever an id is due', (bad) => {
    const id = bad as string;
    for (const part of [
      { runIds: [id] },
      { worker: id },
      { parentId: id },
      { forkOf: id },
      { after: { createdAt: 1, runId: id } },
    ]) {
      expect(() => checkRunsQuery({ ...runs, ...part })).toThrow(invalidId);
    }
  });
});
