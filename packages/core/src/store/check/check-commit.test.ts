import { describe, expect, test } from 'vitest';
import { creationOf, guestOf, loopOf, note, notes, ownerOf, snapshotOf } from '../../testing/contract/given.ts';
import { type Commit, checkCommit } from './check-commit.ts';

const refusedBy = (code: string): unknown => expect.objectContaining({ code });
const contract = refusedBy('HOLDFAST_STORE_CONTRACT');
const step = { kind: 'step', at: 1 } as const;

describe('checkCommit()', () => {
  test.each<[string, Commit]>([
    ['an owner', ownerOf('run', { expect: 1, fence: 1, entries: [step], header: { frontier: ['a'], step: 1 } })],
    ['a guest', guestOf('run', { expect: 1, header: { wakeAt: 1 } })],
    ['an own loop', loopOf('run', { expect: 1, entries: [{ kind: 'checkpoint', at: 1 }], snapshot: snapshotOf(0) })],
    ['a creator', creationOf('run', { entries: [{ kind: 'run-start', at: 1 }], wakeAt: 1, parent: 'mother' })],
    ['a creator of an own loop', creationOf('run', { loop: true })],
    ['a creator of a fork', creationOf('run', { base: { run: 'base', seq: 3 }, snapshot: snapshotOf(4) })],
  ])('takes a commit of %s', (_, commit) => {
    expect(() => checkCommit(commit)).not.toThrow();
  });

  test('does not mind what somebody gave to all objects', () => {
    const all = Object.prototype as { everywhere?: number };
    all.everywhere = 1;
    try {
      expect(() => checkCommit(guestOf('run', { expect: 1, header: { wakeAt: 1 } }))).not.toThrow();
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
    expect(() => checkCommit(guestOf(id, { expect: 0 }))).toThrow(invalid);
    expect(() => checkCommit(creationOf('run', { base: { run: id, seq: 0 } }))).toThrow(invalid);
    expect(() => checkCommit(creationOf('run', { parent: id ?? '' }))).toThrow(invalid);
  });

  test.each(['a/b', '', 'x'.repeat(129), '12', 'toString'])('refuses %o as the id of a record', (id) => {
    const commit = guestOf('run', { expect: 0, entries: [note(1), note(2, id)] });
    expect(() => checkCommit(commit)).toThrow(refusedBy('HOLDFAST_INVALID_ID'));
  });

  test.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1, '1'])('refuses %o as a head', (expected) => {
    expect(() => checkCommit(guestOf('run', { expect: expected as number }))).toThrow(contract);
  });

  test.each<[string, Commit]>([
    ['without a record', guestOf('run', { expect: 1, entries: [] })],
    ['of a guest that writes a step', guestOf('run', { expect: 1, entries: [note(1), step] })],
    ['of an own loop that writes a step', loopOf('run', { expect: 1, entries: [step] })],
    ['that creates an own loop with a step', creationOf('run', { loop: true, entries: [step] })],
    ['of a guest that moves the frontier', guestOf('run', { expect: 1, header: { frontier: [] } })],
    ['of a guest that counts steps', guestOf('run', { expect: 1, header: { step: 1 } })],
    ['of a guest that writes a snapshot', guestOf('run', { expect: 1, snapshot: snapshotOf(1) })],
    ['that changes the fence', ownerOf('run', { expect: 1, fence: 1, header: { fence: 9 } as object })],
    ['that creates at another seq than its base', { ...creationOf('run'), expect: 1 }],
    ['that creates without a whole header', { ...creationOf('run'), header: { status: 'pending' } }],
    ['that creates an own loop with a wake time', creationOf('run', { loop: true, wakeAt: 1 })],
    ['that creates an own loop for a worker', creationOf('run', { loop: true, worker: 'worker' })],
    ['with a snapshot that covers too much', loopOf('run', { expect: 1, snapshot: snapshotOf(3) })],
    ['with a snapshot that covers less than nothing', guestOf('run', { expect: 1, snapshot: snapshotOf(-1) })],
    ['with a snapshot that covers half a record', guestOf('run', { expect: 1, snapshot: snapshotOf(0.5) })],
  ])('refuses a commit %s', (_, commit) => {
    expect(() => checkCommit(commit)).toThrow(contract);
  });

  test('takes a snapshot that covers all of its own records', () => {
    expect(() => checkCommit(loopOf('run', { expect: 1, entries: notes(2), snapshot: snapshotOf(3) }))).not.toThrow();
  });
});

describe('checkCommit() of a part of a copy', () => {
  const header = { status: 'pending', step: 0, frontier: [], waits: [], wakeAt: null, tags: {} } as const;
  const of = { loop: false, graph: 'g', version: 1, base: null, parent: null, createdAt: 1, worker: null };
  const writer = { by: 'copier', of, floor: 5, end: null, at: 1 } as const;

  test('needs no record, and begins at its floor or its base, whichever is higher', () => {
    expect(() => checkCommit({ run: 'r', writer, expect: 5, entries: [], header })).not.toThrow();
    expect(() => checkCommit({ run: 'r', writer, expect: 0, entries: [], header })).toThrow(/at another seq/);
    const fork = { ...writer, of: { ...of, base: { run: 'b', seq: 9 } } };
    expect(() => checkCommit({ run: 'r', writer: fork, expect: 9, entries: [], header })).not.toThrow();
    expect(() => checkCommit({ run: 'r', writer: { ...writer, of: null }, expect: 7, entries: [] })).not.toThrow();
  });

  test('needs a whole header where it creates the run', () => {
    expect(() => checkCommit({ run: 'r', writer, expect: 5, entries: [], header: {} })).toThrow(/whole header/);
  });
});
