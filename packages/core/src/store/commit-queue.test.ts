import { describe, expect, test } from 'vitest';
import { CommitQueue } from './commit-queue.ts';
import type { Batch, BatchResult } from './contract.ts';

type Settled = PromiseSettledResult<BatchResult>;

/** A queue whose turns and commits end when the test says so. */
function manualQueue(answer: (batch: Batch) => Settled = () => ({ status: 'fulfilled', value: { ok: true } })) {
  const turns: (() => void)[] = [];
  const groups: (readonly Batch[])[] = [];
  const finish: (() => void)[] = [];
  const queue = new CommitQueue({
    nextTurn: (callback) => void turns.push(callback),
    commit: (batches) => {
      groups.push(batches);
      return new Promise((resolve) => finish.push(() => resolve(batches.map(answer))));
    },
  });
  return {
    add: (run: string, bytes = 1, token = run) => queue.add({ run, token } as Batch, bytes),
    turn: () => turns.splice(0).forEach((callback) => callback()),
    finish: async () => {
      finish.shift()?.();
      await new Promise(setImmediate);
    },
    pendingTurns: () => turns.length,
    groups: () => groups.map((group) => group.map(({ token }) => token)),
  };
}

describe('CommitQueue', () => {
  test('lets a lone commit wait for the end of the turn and no longer', async () => {
    const queue = manualQueue();
    const added = queue.add('a');
    expect(queue.groups()).toEqual([]);
    queue.turn();
    expect(queue.groups()).toEqual([['a']]);
    await queue.finish();
    await expect(added).resolves.toEqual({ ok: true });
  });

  test('commits what comes in one turn together, in the order of the runs', () => {
    const queue = manualQueue();
    for (const run of ['c', 'a', 'B', 'b']) void queue.add(run);
    expect(queue.pendingTurns()).toBe(1);
    queue.turn();
    expect(queue.groups()).toEqual([['B', 'a', 'b', 'c']]);
  });

  test('commits what comes while a commit is under way together in the next, without another turn', async () => {
    const queue = manualQueue();
    void queue.add('a');
    queue.turn();
    void queue.add('b');
    void queue.add('a', 1, 'a-again');
    void queue.add('c');
    expect(queue.pendingTurns()).toBe(0);
    expect(queue.groups()).toEqual([['a']]);
    await queue.finish();
    expect(queue.groups()).toEqual([['a'], ['a-again', 'b', 'c']]);
  });

  test('waits for a turn again when it has run dry', async () => {
    const queue = manualQueue();
    void queue.add('a');
    queue.turn();
    await queue.finish();
    void queue.add('b');
    expect(queue.groups()).toEqual([['a']]);
    queue.turn();
    expect(queue.groups()).toEqual([['a'], ['b']]);
  });

  test('puts at most one batch of a run into a group, in the order they came', async () => {
    const queue = manualQueue();
    for (const token of ['a1', 'a2', 'a3']) void queue.add('a', 1, token);
    void queue.add('b');
    queue.turn();
    await queue.finish();
    await queue.finish();
    expect(queue.groups()).toEqual([['a1', 'b'], ['a2'], ['a3']]);
  });

  test('cuts a group at one megabyte, and takes a larger batch alone', async () => {
    const queue = manualQueue();
    void queue.add('a', 600_000);
    void queue.add('b', 600_000);
    void queue.add('c', 400_000);
    void queue.add('d', 3_000_000);
    queue.turn();
    for (let group = 0; group < 3; group += 1) await queue.finish();
    expect(queue.groups()).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  test('lets no batch overtake an earlier one of its run that did not fit', async () => {
    const queue = manualQueue();
    void queue.add('a', 900_000);
    void queue.add('b', 900_000, 'b1');
    void queue.add('b', 1, 'b2');
    queue.turn();
    for (let group = 0; group < 3; group += 1) await queue.finish();
    expect(queue.groups()).toEqual([['a'], ['b1'], ['b2']]);
  });

  test('settles each batch of a group by itself', async () => {
    const queue = manualQueue(({ run }) =>
      run === 'bad' ? { status: 'rejected', reason: new Error('bad') } : { status: 'fulfilled', value: { ok: true } },
    );
    const added = Promise.allSettled([queue.add('bad'), queue.add('good')]);
    queue.turn();
    await queue.finish();
    expect((await added).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
