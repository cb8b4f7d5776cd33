import { describe, expect, test } from 'vitest';
import type { Batch } from '../contract/commit.ts';
import { CommitQueue } from './queue.ts';
import type { SureResult } from './resolve-doubt.ts';

type Settled = PromiseSettledResult<SureResult>;

const done: Settled = { status: 'fulfilled', value: { ok: true, epoch: 0 } };

interface Given {
  readonly answer?: (batch: Batch) => Settled;
  readonly groupsInFlight?: number;
}

/** A queue whose ticks and commits end when the test says so. */
function manualQueue({ answer = () => done, groupsInFlight = 1 }: Given = {}) {
  const ticks: (() => void)[] = [];
  const groups: (readonly Batch[])[] = [];
  const finish: (() => void)[] = [];
  const time = { ms: 0 };
  const queue = new CommitQueue({
    groupsInFlight,
    env: { nextTick: (callback) => void ticks.push(callback), monotonicMs: () => time.ms },
    commit: (batches) => {
      groups.push(batches);
      return new Promise((resolve) => finish.push(() => resolve(batches.map(answer))));
    },
  });
  return {
    add: (runId: string, { bytes = 1, token = runId } = {}) => queue.add({ runId, token } as Batch, bytes),
    tick: () => ticks.splice(0).forEach((callback) => callback()),
    /** Ends one of the commits in flight, by default the oldest. */
    finish: async (at = 0): Promise<void> => {
      finish.splice(at, 1)[0]?.();
      await new Promise(setImmediate);
    },
    time,
    pendingTicks: () => ticks.length,
    groups: () => groups.map((group) => group.map(({ token }) => token)),
  };
}

describe('CommitQueue', () => {
  test('lets a commit wait for the end of the tick and no longer', async () => {
    const queue = manualQueue();
    const added = queue.add('a');
    expect(queue.groups()).toEqual([]);
    queue.tick();
    expect(queue.groups()).toEqual([['a']]);
    await queue.finish();
    await expect(added).resolves.toEqual({ ok: true, epoch: 0 });
  });

  test('commits what comes in one tick together, in the order of the runs', () => {
    const queue = manualQueue();
    for (const runId of ['c', 'a', 'B', 'b']) void queue.add(runId);
    expect(queue.pendingTicks()).toBe(1);
    queue.tick();
    expect(queue.groups()).toEqual([['B', 'a', 'b', 'c']]);
  });

  test('commits what comes while a commit is in flight together in the next', async () => {
    const queue = manualQueue();
    void queue.add('a');
    queue.tick();
    for (const [runId, token] of [['b'], ['a', 'a-again'], ['c']] as const) void queue.add(runId, { token });
    queue.tick();
    expect(queue.groups()).toEqual([['a']]);
    await queue.finish();
    expect(queue.groups()).toEqual([['a'], ['a-again', 'b', 'c']]);
  });

  test('waits for a tick again when it has run dry, and another run comes', async () => {
    const queue = manualQueue();
    void queue.add('a');
    queue.tick();
    await queue.finish();
    void queue.add('b');
    expect(queue.groups()).toEqual([['a']]);
    queue.tick();
    expect(queue.groups()).toEqual([['a'], ['b']]);
  });

  test('puts at most one batch of a run into a group, in the order they came', async () => {
    const queue = manualQueue();
    for (const token of ['a1', 'a2', 'a3']) void queue.add('a', { token });
    void queue.add('b');
    queue.tick();
    await queue.finish();
    await queue.finish();
    expect(queue.groups()).toEqual([['a1', 'b'], ['a2'], ['a3']]);
  });

  test('cuts a group at one megabyte, and commits a larger batch alone', async () => {
    const queue = manualQueue();
    void queue.add('a', { bytes: 600_000 });
    void queue.add('b', { bytes: 600_000 });
    void queue.add('c', { bytes: 400_000 });
    void queue.add('d', { bytes: 3_000_000 });
    queue.tick();
    for (let group = 0; group < 3; group += 1) await queue.finish();
    expect(queue.groups()).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  test('lets no batch overtake an earlier one of its run that did not fit', async () => {
    const queue = manualQueue();
    void queue.add('a', { bytes: 900_000 });
    void queue.add('b', { bytes: 900_000, token: 'b1' });
    void queue.add('b', { token: 'b2' });
    queue.tick();
    for (let group = 0; group < 3; group += 1) await queue.finish();
    expect(queue.groups()).toEqual([['a'], ['b1'], ['b2']]);
  });

  test('settles each batch of a group by itself', async () => {
    const bad: Settled = { status: 'rejected', reason: new Error('bad') };
    const queue = manualQueue({ answer: ({ runId }) => (runId === 'bad' ? bad : done) });
    const added = Promise.allSettled([queue.add('bad'), queue.add('good')]);
    queue.tick();
    await queue.finish();
    expect((await added).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('CommitQueue with several groups in flight', () => {
  test('sends a group while another is in flight, up to so many', async () => {
    const queue = manualQueue({ groupsInFlight: 2 });
    for (const runId of ['a', 'b', 'c', 'd']) {
      void queue.add(runId);
      queue.tick();
    }
    expect(queue.groups()).toEqual([['a'], ['b']]);
    await queue.finish(1);
    expect(queue.groups()).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  test('never has a run in two of them, and lets others pass it', async () => {
    const queue = manualQueue({ groupsInFlight: 3 });
    void queue.add('slow', { token: 's1' });
    queue.tick();
    void queue.add('slow', { token: 's2' });
    void queue.add('a');
    queue.tick();
    void queue.add('b');
    queue.tick();
    expect(queue.groups()).toEqual([['s1'], ['a'], ['b']]);
    await queue.finish(1);
    expect(queue.groups()).toHaveLength(3);
    await queue.finish(0);
    expect(queue.groups()).toEqual([['s1'], ['a'], ['b'], ['s2']]);
  });
});

/** A queue whose last group had one run alone. */
async function alone() {
  const queue = manualQueue();
  void queue.add('a', { token: 'a0' });
  queue.tick();
  await queue.finish();
  return queue;
}

describe('CommitQueue with a run that is alone', () => {
  test('does not let it wait for the tick', async () => {
    const queue = await alone();
    void queue.add('a', { token: 'a1' });
    expect(queue.groups()).toEqual([['a0'], ['a1']]);
    await queue.finish();
    void queue.add('a', { token: 'a2' });
    expect(queue.groups()).toEqual([['a0'], ['a1'], ['a2']]);
  });

  test('brings runs together again as soon as a second one comes', async () => {
    const queue = await alone();
    for (const runId of ['a', 'b', 'c']) void queue.add(runId);
    queue.tick();
    await queue.finish();
    expect(queue.groups()).toEqual([['a0'], ['a'], ['b', 'c']]);
    await queue.finish();
    void queue.add('a');
    expect(queue.groups()).toHaveLength(3);
  });

  test('lets the event loop tick after ten milliseconds', async () => {
    const queue = await alone();
    for (const ms of [5, 9.9, 14.9]) {
      queue.time.ms = ms;
      void queue.add('a', { token: `at ${ms}` });
      await queue.finish();
    }
    queue.time.ms = 15;
    void queue.add('a', { token: 'at 15' });
    expect(queue.groups().flat()).toEqual(['a0', 'at 5', 'at 9.9', 'at 14.9']);
    queue.tick();
    expect(queue.groups().flat()).toEqual(['a0', 'at 5', 'at 9.9', 'at 14.9', 'at 15']);
    await queue.finish();
    void queue.add('a', { token: 'after' });
    expect(queue.groups().flat().at(-1)).toBe('after');
  });
});
