import { describe, expect, test } from 'vitest';
import {
  creationOf,
  externalWriteOf,
  journalWriteOf,
  note,
  notes,
  ownerOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import type { NewRun } from '../contract/run.ts';
import { type Commit, checkCommit } from './check-commit.ts';

const refusedBy = (code: string): unknown => expect.objectContaining({ code });
const contract = refusedBy('HOLDFAST_STORE_CONTRACT');
const step = { kind: 'superstep', at: 1 } as const;

describe('checkCommit()', () => {
  test.each<[string, Commit]>([
    ['an owner', ownerOf('run', { expect: 1, fence: 1, entries: [step], header: { frontier: ['a'], superstep: 1 } })],
    ['an external writer', externalWriteOf('run', { expect: 1, header: { wakeAt: 1 } })],
    [
      'a journal run',
      journalWriteOf('run', { expect: 1, entries: [{ kind: 'checkpoint', at: 1 }], snapshot: snapshotOf(0) }),
    ],
    ['a creator', creationOf('run', { entries: [{ kind: 'run-start', at: 1 }], wakeAt: 1, parentId: 'mother' })],
    ['a creator of a journal run', creationOf('run', { kind: 'journal' })],
    ['a creator of a fork', creationOf('run', { forkedAt: { runId: 'base', seq: 3 }, snapshot: snapshotOf(4) })],
  ])('takes a commit of %s', (_, commit) => {
    expect(() => checkCommit(commit)).not.toThrow();
  });

  test('ignores properties that were added to Object.prototype', () => {
    const all = Object.prototype as { everywhere?: number };
    all.everywhere = 1;
    try {
      expect(() => checkCommit(externalWriteOf('run', { expect: 1, header: { wakeAt: 1 } }))).not.toThrow();
    } finally {
      delete all.everywhere;
    }
  });

  test.each([
    '../../etc/passwd',
    'a/b',
    '.',
    '',
    'a\u0000b',
    'x'.repeat(300),
    'naïve',
    '__proto__',
    'constructor',
    {},
    7,
    null,
    undefined,
    ['run'],
  ])('refuses %o as the id of a run, a base, a parent', (bad) => {
    const id = bad as string;
    const invalid = refusedBy('HOLDFAST_INVALID_ID');
    expect(() => checkCommit(externalWriteOf(id, { expect: 0 }))).toThrow(invalid);
    expect(() => checkCommit(creationOf('run', { forkedAt: { runId: id, seq: 0 } }))).toThrow(invalid);
    expect(() => checkCommit(creationOf('run', { parentId: id ?? '' }))).toThrow(invalid);
  });

  test.each(['a/b', '', 'x'.repeat(129), '12', 'toString'])('refuses %o as the id of a record', (id) => {
    const commit = externalWriteOf('run', { expect: 0, entries: [note(1), note(2, id)] });
    expect(() => checkCommit(commit)).toThrow(refusedBy('HOLDFAST_INVALID_ID'));
  });

  test.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1, '1'])('refuses %o as a head', (expected) => {
    expect(() => checkCommit(externalWriteOf('run', { expect: expected as number }))).toThrow(contract);
  });

  test.each<[string, Commit]>([
    ['without a record', externalWriteOf('run', { expect: 1, entries: [] })],
    ['of an external writer that writes a step', externalWriteOf('run', { expect: 1, entries: [note(1), step] })],
    ['of a journal run that writes a step', journalWriteOf('run', { expect: 1, entries: [step] })],
    ['that creates a journal run with a step', creationOf('run', { kind: 'journal', entries: [step] })],
    ['of an external writer that moves the frontier', externalWriteOf('run', { expect: 1, header: { frontier: [] } })],
    ['of an external writer that counts steps', externalWriteOf('run', { expect: 1, header: { superstep: 1 } })],
    ['of an external writer that writes a snapshot', externalWriteOf('run', { expect: 1, snapshot: snapshotOf(1) })],
    ['that changes the fence', ownerOf('run', { expect: 1, fence: 1, header: { fence: 9 } as object })],
    ['that creates at a seq that is not the one of its base', { ...creationOf('run'), expect: 1 }],
    ['that creates without a complete header', { ...creationOf('run'), header: { status: 'pending' } }],
    ['that creates a journal run with a wake time', creationOf('run', { kind: 'journal', wakeAt: 1 })],
    ['that creates a journal run for a worker', creationOf('run', { kind: 'journal', worker: 'worker' })],
    ['with a snapshot that covers too much', journalWriteOf('run', { expect: 1, snapshot: snapshotOf(3) })],
    ['with a snapshot that covers less than nothing', externalWriteOf('run', { expect: 1, snapshot: snapshotOf(-1) })],
    ['with a snapshot that covers half a record', externalWriteOf('run', { expect: 1, snapshot: snapshotOf(0.5) })],
  ])('refuses a commit %s', (_, commit) => {
    expect(() => checkCommit(commit)).toThrow(contract);
  });

  test('takes a snapshot that covers all of its own records', () => {
    expect(() =>
      checkCommit(journalWriteOf('run', { expect: 1, entries: notes(2), snapshot: snapshotOf(3) })),
    ).not.toThrow();
  });
});

describe('checkCommit() of a part of a copy', () => {
  const header = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} } as const;
  const of: NewRun = {
    kind: 'graph',
    graph: 'g',
    version: 1,
    forkedAt: null,
    parentId: null,
    createdAt: 1,
    worker: null,
  };
  const writer = { by: 'copier', of, floor: 5, end: null, at: 1 } as const;

  test('needs no record, and begins at its floor or its base, whichever is higher', () => {
    expect(() => checkCommit({ runId: 'r', writer, expect: 5, entries: [], header })).not.toThrow();
    expect(() => checkCommit({ runId: 'r', writer, expect: 0, entries: [], header })).toThrow(/creates it at a seq/);
    const fork = { ...writer, of: { ...of, forkedAt: { runId: 'b', seq: 9 } } };
    expect(() => checkCommit({ runId: 'r', writer: fork, expect: 9, entries: [], header })).not.toThrow();
    expect(() => checkCommit({ runId: 'r', writer: { ...writer, of: null }, expect: 7, entries: [] })).not.toThrow();
  });

  test('needs a complete header where it creates the run', () => {
    expect(() => checkCommit({ runId: 'r', writer, expect: 5, entries: [], header: {} })).toThrow(/complete header/);
  });
});
