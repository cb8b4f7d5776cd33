import { expect, test } from 'vitest';
import { all, clockThatTells, describeDocument } from './every-store.ts';

describeDocument('002', ({ fresh }) => {
  test('a checkpoint has its workflow, run, super-step, values, label and time', async () => {
    const clock = clockThatTells(() => 1_234);
    const { checkpoints } = await fresh({ clock });
    await checkpoints.save('r', { graph: 'wf', superstep: 2, state: { a: 1 }, label: 'after', next: ['b'] });
    expect(await checkpoints.latest('r')).toEqual({
      id: 'r@1',
      runId: 'r',
      graph: 'wf',
      seq: 1,
      covers: 0,
      superstep: 2,
      parentId: null,
      label: 'after',
      next: ['b'],
      status: 'running',
      at: new Date(1_234),
      state: { a: 1 },
      metadata: { version: 1, inFlightTasks: 0 },
    });
  });

  test('load and latest agree when a super-step was saved twice', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('r', { superstep: 1, state: { n: 'first' } });
    await checkpoints.save('r', { superstep: 1, state: { n: 'second' } });
    const latest = await checkpoints.latest('r');
    expect(latest).toMatchObject({ state: { n: 'second' } });
    expect(await checkpoints.atSuperstep('r', 1)).toEqual(latest);
    expect(await checkpoints.load('r@2')).toEqual(latest);
  });

  test('atSuperstep finds the newest of that super-step, and nothing for one that is not there', async () => {
    const { checkpoints } = await fresh();
    for (const superstep of [0, 1, 2, 3]) await checkpoints.save('r', { superstep, state: { n: superstep } });
    expect(await checkpoints.atSuperstep('r', 1)).toMatchObject({ superstep: 1, state: { n: 1 } });
    expect(await checkpoints.atSuperstep('r', 7)).toBeUndefined();
  });

  test('list is really in order, whatever the order of the super-steps', async () => {
    const { checkpoints } = await fresh();
    for (const superstep of [3, 0, 2, 1]) await checkpoints.save('r', { superstep, state: {} });
    expect((await all(checkpoints.list('r'))).map(({ superstep }) => superstep)).toEqual([1, 2, 0, 3]);
  });

  test('fork gives a new run with the edits, labelled by where it came from', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { graph: 'wf', superstep: 1, state: { a: 1, b: 2 }, label: 'before-fork' });
    const fork = await checkpoints.fork('main@1', { set: { a: 99 } });
    expect(fork).not.toBe('main');
    expect(await checkpoints.latest(fork)).toMatchObject({
      id: `${fork}@2`,
      runId: fork,
      graph: 'wf',
      superstep: 1,
      label: 'fork-of:main',
      parentId: 'main@1',
      state: { a: 99, b: 2 },
    });
    expect(await checkpoints.latest('main')).toMatchObject({ state: { a: 1, b: 2 } });
  });

  test('a fork is a pointer: its size does not follow the size of the state', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { state: { big: 'x'.repeat(1_000_000) } });
    const fork = await checkpoints.fork('main@1', { id: 'twig' });
    await checkpoints.save('twig', { state: {} });
    const freed = await checkpoints.prune(fork, { keep: 1, dryRun: true });
    expect(freed.pruned).toBe(1);
    expect(freed.bytes).toBeLessThan(400);
    expect((await checkpoints.load('twig@2'))?.state['big']).toHaveLength(1_000_000);
  });

  test('lineage is kept: the list of a fork continues into its base, under the ids of the base', async () => {
    const { journal, checkpoints } = await fresh();
    await checkpoints.save('main', { state: { n: 1 } });
    await checkpoints.save('main', { state: { n: 2 } });
    const fork = await checkpoints.fork('main@1', { id: 'fork' });
    await checkpoints.save(fork, { state: { n: 3 } });
    expect((await all(checkpoints.list(fork))).map(({ id }) => id)).toEqual(['fork@3', 'fork@2', 'main@1']);
    expect(await checkpoints.load('fork@1')).toMatchObject({ id: 'main@1', state: { n: 1 } });
    expect(await checkpoints.atOrBefore('fork@0')).toMatchObject({ id: 'main@1' });
    expect((await all(journal.read(fork))).map(({ runId, seq }) => `${runId}@${seq}`)).toEqual([
      'main@1',
      'fork@2',
      'fork@3',
    ]);
  });

  test('forks of forks read through all of them', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('a', { state: { x: 1, y: 1, z: 1 } });
    await checkpoints.fork('a@1', { id: 'b', set: { y: 2 } });
    await checkpoints.fork('b@2', { id: 'c', set: { z: 3 } });
    expect((await checkpoints.latest('c'))?.state).toEqual({ x: 1, y: 2, z: 3 });
    expect((await all(checkpoints.list('c'))).map(({ id }) => id)).toEqual(['c@3', 'b@2', 'a@1']);
    await checkpoints.fork('c@1', { id: 'd' });
    expect(await checkpoints.latest('d')).toMatchObject({ parentId: 'a@1', label: 'fork-of:a' });
  });

  test('what is saved in a fork never shows in its base, nor the other way round', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { state: { n: 1 } });
    await checkpoints.fork('main@1', { id: 'fork' });
    await checkpoints.save('main', { state: { n: 2 } });
    await checkpoints.save('fork', { state: { n: 3 } });
    expect(await checkpoints.latest('main')).toMatchObject({ state: { n: 2 } });
    expect(await checkpoints.latest('fork')).toMatchObject({ state: { n: 3 } });
  });

  test('an edit of an unknown channel is refused, and no run is made', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { state: { a: 1 } });
    const refusal = { code: 'HOLDFAST_UNKNOWN_CHANNEL', details: { checkpoint: 'main@1', channel: 'b' } };
    await expect(checkpoints.fork('main@1', { id: 'fork', set: { b: 1 } })).rejects.toMatchObject(refusal);
    await expect(checkpoints.fork('main@1', { id: 'fork', set: { a: () => {} } })).rejects.toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
    });
    expect(await checkpoints.latest('fork')).toBeUndefined();
  });

  test('a missing source is a typed error with the id', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { state: {} });
    for (const from of ['main@7', 'nobody@1', 'main@alias']) {
      await expect(checkpoints.fork(from)).rejects.toMatchObject({
        code: 'HOLDFAST_NOT_FOUND',
        details: { checkpoint: from },
      });
    }
  });

  test('a fork under an id that is taken is refused', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('main', { state: {} });
    await expect(checkpoints.fork('main@1', { id: 'main' })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
  });

  test('deleting a run that forks stand on never breaks them, and the rest goes with the last', async () => {
    const { checkpoints } = await fresh();
    for (const n of [1, 2, 3]) await checkpoints.save('main', { state: { n } });
    await checkpoints.fork('main@2', { id: 'fork' });
    expect(await checkpoints.delete('main')).toBe(true);
    expect(await checkpoints.latest('main')).toBeUndefined();
    expect(await checkpoints.delete('main')).toBe(false);
    await expect(checkpoints.latest('fork')).resolves.toMatchObject({ state: { n: 2 } });
    await expect(checkpoints.save('main', { state: {} })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    expect(await checkpoints.delete('fork')).toBe(true);
    expect(await checkpoints.save('main', { state: { again: true } })).toMatchObject({ id: 'main@1' });
  });
});
