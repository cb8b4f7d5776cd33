import { expect, test } from 'vitest';
import { deferred } from '../../../async/deferred.ts';
import { RunTurns, type Touch } from './run-mutex.ts';

const change = (...runs: string[]): Touch => ({ kind: 'change', runs: new Set(runs) });
const trim = (runId: string): Touch => ({ kind: 'trim', runs: new Set([runId]) });
const everything: Touch = { kind: 'change', runs: undefined };

test.each([
  { first: trim('a'), next: change('b', 'c'), together: true },
  { first: trim('a'), next: change('b', 'a'), together: false },
  { first: change('a', 'b'), next: trim('b'), together: false },
  { first: change('a'), next: trim('b'), together: true },
  { first: change('a'), next: change('b'), together: false },
  { first: trim('a'), next: trim('b'), together: false },
  { first: trim('a'), next: everything, together: false },
  { first: everything, next: trim('a'), together: false },
])('$next.kind after $first.kind: together is $together', async ({ first, next, together }) => {
  const turns = new RunTurns();
  const held = deferred();
  const done: string[] = [];
  const before = turns.run(first, () => held.promise.then(() => void done.push('first')));
  const after = turns.run(next, async () => void done.push('next'));
  if (together) await after;
  held.resolve();
  await Promise.all([before, after]);
  expect(done).toEqual(together ? ['next', 'first'] : ['first', 'next']);
});

test('a failure lets the next one go on', async () => {
  const turns = new RunTurns();
  const failing = turns.run(everything, async () => {
    throw new Error('no room');
  });
  const next = turns.run(everything, async () => 'done');
  await expect(failing).rejects.toThrow('no room');
  expect(await next).toBe('done');
});

test('goes in the order of asking, also behind one that waits itself', async () => {
  const turns = new RunTurns();
  const held = deferred();
  const done: string[] = [];
  const all = [
    turns.run(trim('a'), () => held.promise.then(() => void done.push('trim a'))),
    turns.run(everything, async () => void done.push('claim')),
    turns.run(change('b'), async () => void done.push('commit b')),
  ];
  held.resolve();
  await Promise.all(all);
  expect(done).toEqual(['trim a', 'claim', 'commit b']);
});
