import { HoldfastError } from 'holdfast';
import { expect, test } from 'vitest';
import { all, describeSeed, openForTest } from './every-store.ts';

const badIds: readonly unknown[] = [
  '../../etc/passwd',
  '../x',
  '/etc/passwd',
  'a/b',
  '.',
  '',
  'nul\0byte',
  'x'.repeat(300),
  'naïve',
  '__proto__',
  'constructor',
  'toString',
  { toString: () => 'sneaky' },
  7,
  null,
  undefined,
  ['r'],
];

describeSeed('004', ({ fresh, store, shared }) => {
  test('a workflow checkpoint comes back as it was: run, workflow, step, next node and scope', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('run-1', { workflow: 'wf', step: 3, next: ['tool'], state: { input: { k: 'v' } } });
    expect(await checkpoints.latest('run-1')).toMatchObject({
      run: 'run-1',
      workflow: 'wf',
      step: 3,
      next: ['tool'],
      state: { input: { k: 'v' } },
    });
  });

  test('the history is kept, not only the last', async () => {
    const { checkpoints } = await fresh();
    for (const step of [1, 2, 3]) await checkpoints.save('run-1', { workflow: 'wf', step, state: { step } });
    expect((await all(checkpoints.list('run-1'))).map(({ step }) => step)).toEqual([3, 2, 1]);
    expect(await checkpoints.load('run-1@2')).toMatchObject({ state: { step: 2 } });
  });

  test('loading from a run that is not there is nothing', async () => {
    const { checkpoints } = await fresh();
    expect(await checkpoints.latest('missing')).toBeUndefined();
    expect(await checkpoints.load('missing@1')).toBeUndefined();
    expect(await checkpoints.load('missing@alias')).toBeUndefined();
    await checkpoints.save('run-1', { state: {} });
    expect(await checkpoints.load('run-1@2')).toBeUndefined();
  });

  test('deleting a run takes all of it; deleting one that is not there is fine', async () => {
    const { checkpoints } = await fresh();
    await checkpoints.save('run-1', { state: {} });
    expect(await checkpoints.delete('run-1')).toBe(true);
    expect(await checkpoints.latest('run-1')).toBeUndefined();
    expect(await checkpoints.delete('run-1')).toBe(false);
  });

  test('a run resumes with its whole state: counters and outputs are not lost', async () => {
    const place = store();
    const state = { counter: 7, outputs: { fetch: ['a', 'b'], parse: new Map([['a', 1n]]) }, at: new Date(3) };
    const before = await openForTest(place);
    await before.checkpoints.save('run-1', { workflow: 'wf', step: 3, next: ['tool'], state });
    await before.close();
    const after = await openForTest(place);
    expect(await after.checkpoints.latest('run-1')).toMatchObject({ next: ['tool'], state });
  });

  test.each(badIds.map((id) => [id]))('the id %j is refused before anything is touched', async (id) => {
    const { journal, checkpoints } = await fresh();
    const run = id as string;
    const refusal = { code: 'HOLDFAST_INVALID_ID' };
    await expect(checkpoints.save(run, { state: {} })).rejects.toMatchObject(refusal);
    await expect(checkpoints.latest(run)).rejects.toMatchObject(refusal);
    await expect(checkpoints.atStep(run, 1)).rejects.toMatchObject(refusal);
    await expect(checkpoints.delete(run)).rejects.toMatchObject(refusal);
    await expect(checkpoints.prune(run, { keep: 1 })).rejects.toMatchObject(refusal);
    await expect(all(checkpoints.list(run))).rejects.toMatchObject(refusal);
    await expect(journal.append(run, {})).rejects.toMatchObject(refusal);
    await expect(journal.tail(run, 1)).rejects.toMatchObject(refusal);
    await expect(all(journal.read(run))).rejects.toMatchObject(refusal);
  });

  test('a stale writer is refused: two engines that save one id never both win', async () => {
    const place = store();
    // A store that one process writes to has one engine, which is asked twice.
    const first = await openForTest(place);
    const engines = [first, shared ? await openForTest(place) : first];
    const saves = engines.map(({ checkpoints }, n) => checkpoints.save('run-1', { id: 'first', state: { n } }));
    const settled = await Promise.allSettled(saves);
    const refused = settled.filter((one) => one.status === 'rejected').map((one): unknown => one.reason);
    expect(refused).toHaveLength(1);
    expect(HoldfastError.is(refused[0], 'HOLDFAST_ID_TAKEN')).toBe(true);
  });

  test('what cannot be saved is refused with its path, and nothing is written', async () => {
    const { journal, checkpoints } = await fresh();
    const saving = checkpoints.save('run-1', { state: { deep: [{ fn: () => {} }] } });
    await expect(saving).rejects.toMatchObject({ code: 'HOLDFAST_UNSERIALIZABLE' });
    await expect(saving).rejects.toThrow('/deep/0/fn');
    expect(await journal.tail('run-1', 1)).toEqual([]);
  });

  test('what a caller changes after saving is not saved', async () => {
    const { checkpoints } = await fresh();
    const state = { list: [1] };
    const saving = checkpoints.save('run-1', { state });
    state.list.push(2);
    await saving;
    expect(await checkpoints.latest('run-1')).toMatchObject({ state: { list: [1] } });
  });

  test('a checkpoint with something unknown or of a wrong kind in it is refused', async () => {
    const { checkpoints } = await fresh();
    const wrong: readonly unknown[] = [
      null,
      {},
      { state: 5 },
      { state: [] },
      { state: {}, stat: {} },
      { state: {}, step: -1 },
      { state: {}, step: 1.5 },
      { state: {}, covers: 'all' },
      { state: {}, next: 'tool' },
      { state: {}, label: 7 },
      { state: {}, workflow: 7 },
      { state: {}, status: 'nope' },
      { state: {}, status: 'terminal:' },
      { state: {}, metadata: 7 },
      { state: {}, metadata: { verson: 1 } },
      { state: {}, metadata: { version: 'x' } },
    ];
    for (const checkpoint of wrong) {
      const saving = checkpoints.save('run-1', checkpoint as { state: object } as never);
      await expect(saving, JSON.stringify(checkpoint)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    }
    await expect(checkpoints.save('run-1', { state: {}, id: '17' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_ID',
    });
  });
});
