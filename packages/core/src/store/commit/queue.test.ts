import { describe, expect, test } from 'vitest';
import type { Batch, BatchResult } from '../contract/commit.ts';
import { InFlight } from '../in-flight.ts';
import { CommitQueue } from './queue.ts';

type Settled = PromiseSettledResult<BatchResult>;

function asItIs(result: BatchResult): BatchResult {
  return result;
}

/** A queue whose turns and commits end when the test says so. */
function manualQueue(
  answer: (batch: Batch) => Settled = () => ({ status: 'fulfilled', value: { ok: true } }),
  { isSlow = false } = {},
) {
  const turns: (() => void)[] = [];
  const groups: (readonly Batch[])[] = [];
  const finish: (() => void)[] = [];
  const atOnce: string[] = [];
  const time = { ms: 0 };
  const inFlight = new InFlight();
  const queue = new CommitQueue({
    inFlight,
    env: { nextTick: (callback) => void turns.push(callback), monotonicMs: () => time.ms },
    commit: (batches) => {
      groups.push(batches);
      return new Promise((resolve) => finish.push(() => resolve(batches.map(answer))));
    },
    commitOne: (batch) => {
      atOnce.push(batch.token);
      return isSlow ? new Promise((resolve) => finish.push(() => resolve({ ok: true }))) : { ok: true };
    },
  });
  const finishOne = async (): Promise<void> => {
    finish.shift()?.();
    await new Promise(setImmediate);
  };
  return {
    add: (runId: string, bytes = 1, token = runId) => queue.add({ runId, token } as Batch, bytes, asItIs),
    turn: () => turns.splice(0).forEach((callback) => callback()),
    finish: finishOne,
    /** Lets the queue see that whoever writes is alone. */
    calmDown: async () => {
      for (let group = 0; group < 4; group += 1) {
        void queue.add({ runId: 'lone', token: 'lone' } as Batch, 1, asItIs);
        turns.splice(0).forEach((callback) => callback());
        await finishOne();
      }
      groups.length = 0;
    },
    atOnce,
    time,
    pendingTurns: () => turns.length,
    /** Whether the queue has nothing to do. */
    isIdle: async () => {
      const late = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
      return Promise.race([inFlight.none().then(() => true), late]);
    },
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
    for (const runId of ['c', 'a', 'B', 'b']) void queue.add(runId);
    expect(queue.pendingTurns()).toBe(1);
    queue.turn();
    expect(queue.groups()).toEqual([['B', 'a', 'b', 'c']]);
  });

  test('commits what comes while a commit is in flight together in the next, without another turn', async () => {
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

  test('counts as in flight until the last that waited is committed', async () => {
    const queue = manualQueue();
    expect(await queue.isIdle()).toBe(true);
    for (const token of ['a1', 'a2']) void queue.add('a', 1, token);
    expect(await queue.isIdle()).toBe(false);
    queue.turn();
    await queue.finish();
    expect(await queue.isIdle()).toBe(false);
    await queue.finish();
    expect(await queue.isIdle()).toBe(true);
  });

  test('settles each batch of a group by itself', async () => {
    const queue = manualQueue(({ runId }) =>
      runId === 'bad' ? { status: 'rejected', reason: new Error('bad') } : { status: 'fulfilled', value: { ok: true } },
    );
    const added = Promise.allSettled([queue.add('bad'), queue.add('good')]);
    queue.turn();
    await queue.finish();
    expect((await added).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('lets a commit go at once, and gives no promise, when four before it were alone', async () => {
    const queue = manualQueue();
    await queue.calmDown();
    expect(queue.add('a')).toEqual({ ok: true });
    expect(queue.atOnce).toEqual(['a']);
  });

  test('brings runs together again as soon as a second one comes in a turn', async () => {
    const queue = manualQueue();
    await queue.calmDown();
    for (const runId of ['a', 'b', 'a']) void queue.add(runId);
    expect(queue.atOnce).toEqual(['a']);
    queue.turn();
    expect(queue.groups()).toEqual([['a', 'b']]);
    await queue.finish();
    void queue.add('a');
    expect(queue.atOnce).toEqual(['a']);
  });

  test('lets the event loop turn when commits have gone at once for ten milliseconds', async () => {
    const queue = manualQueue();
    await queue.calmDown();
    const added = [5, 9.9, 14.9, 15].map((ms) => {
      queue.time.ms = ms;
      return queue.add('a', 1, `at ${ms}`);
    });
    expect(queue.atOnce).toEqual(['at 5', 'at 9.9', 'at 14.9', 'at 15']);
    expect(added.map((result) => result instanceof Promise)).toEqual([false, false, false, true]);
    const seen: string[] = [];
    void Promise.resolve(added.at(-1)).then(() => seen.push('told'));
    await Promise.resolve();
    expect(seen).toEqual([]);
    queue.turn();
    expect(await added.at(-1)).toEqual({ ok: true });
    expect(queue.add('a', 1, 'afterwards')).toEqual({ ok: true });
    expect(queue.groups()).toEqual([]);
  });

  test('commits what comes while one that went at once is in flight together in the next', async () => {
    const queue = manualQueue(undefined, { isSlow: true });
    await queue.calmDown();
    const first = queue.add('a', 1, 'a1');
    for (const runId of ['b', 'a']) void queue.add(runId);
    expect(queue.groups()).toEqual([]);
    await queue.finish();
    expect(await first).toEqual({ ok: true });
    expect(queue.groups()).toEqual([['a', 'b']]);
  });
});
