// The rows on forking, for runs that the engine executes.
import { channel, graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeDocument } from './every-store.ts';

const orders = graph('orders', { state: { cents: z.int(), offer: channel<string>(), log: list<string>() } })
  .node('look', ({ state }) => ({ log: `looked at ${state.cents}` }))
  .node('quote', ({ state }) => ({ offer: state.cents > 100 ? 'gold' : 'plain' }))
  .edge('start', 'look')
  .edge('look', 'quote')
  .edge('quote', 'end')
  .compile();

describeDocument('002', ({ fresh }) => {
  test('one checkpoint per super-step, in order: run, super-step, values, label and time', async () => {
    const engine = await fresh();
    const run = await engine.start(orders, { cents: 500 }, { id: 'main' });
    await run.result();
    const history = await all(run.history());
    expect(history.map(({ runId, superstep, label }) => [runId, superstep, label])).toEqual([
      ['main', 2, ''],
      ['main', 1, ''],
      ['main', 0, ''],
    ]);
    expect(history[1]).toMatchObject({ graph: 'orders', next: ['quote'], at: expect.any(Date) });
    for (const checkpoint of history) expect(await run.checkpoint(checkpoint.id)).toEqual(checkpoint);
  });

  test('fork gives a new run with the edits, labelled by where it came from; lineage is kept', async () => {
    const engine = await fresh();
    const run = await engine.start(orders, { cents: 500 }, { id: 'main' });
    await run.result();
    const history = await all(run.history());
    const fork = await run.fork({ at: history[1]?.id, set: { cents: 5 }, id: 'fork' });
    expect(await fork.summary()).toMatchObject({ forkedAt: history[1]?.id });
    expect(await fork.checkpoint()).toMatchObject({
      label: 'fork-of:main',
      parentId: history[1]?.id,
      state: { cents: 5 },
    });
    await fork.resume();
    expect(await fork.result()).toMatchObject({ offer: 'plain', log: ['looked at 500'] });
    expect((await all(fork.history())).map(({ runId }) => runId)).toEqual(['fork', 'fork', 'main', 'main']);
    expect(await run.checkpoint()).toEqual(history[0]);
    expect((await all(engine.runs({ forkOf: 'main' }))).map(({ id }) => id)).toEqual(['fork']);
  });

  test('a fork is a pointer: its records do not follow the size of the state', async () => {
    const engine = await fresh();
    const run = await engine.start(orders, { cents: 500, log: 'x'.repeat(200_000) }, { id: 'main' });
    await run.result();
    const fork = await run.fork({ id: 'fork' });
    const own = (await engine.journal.tail('fork', 9)).filter((record) => record.runId === 'fork');
    expect(JSON.stringify(own).length).toBeLessThan(256);
    expect((await fork.state()).log[0]).toHaveLength(200_000);
  });

  test('edits are validated, unknown channels refused, a missing source is a typed error with the id', async () => {
    const engine = await fresh();
    const run = await engine.start(orders, { cents: 500 }, { id: 'main' });
    await run.result();
    const refused = [
      [{ set: { cents: 'x' as unknown as number } }, 'HOLDFAST_INVALID_VALUE'],
      [{ set: { price: 1 } as object }, 'HOLDFAST_UNKNOWN_CHANNEL'],
      [{ at: 'main@99' }, 'HOLDFAST_NOT_FOUND'],
      [{ at: 'gone@1' }, 'HOLDFAST_NOT_FOUND'],
      [{ at: 'main' }, 'HOLDFAST_INVALID_CURSOR'],
      [{ id: 'main' }, 'HOLDFAST_ID_TAKEN'],
    ] as const;
    for (const [options, code] of refused) await expect(run.fork(options)).rejects.toMatchObject({ code });
    await expect(run.fork({ at: 'gone@1' })).rejects.toThrow('gone@1');
    expect((await all(engine.runs())).map(({ id }) => id)).toEqual(['main']);
  });

  test('deleting a run that forks stand on never breaks them, and the rest goes with the last', async () => {
    const engine = await fresh();
    const run = await engine.start(orders, { cents: 500 }, { id: 'main' });
    await run.result();
    const fork = await run.fork({ id: 'fork', at: 'main@2' });
    expect(await engine.delete('main')).toBe(true);
    await fork.resume();
    expect(await fork.result()).toMatchObject({ offer: 'gold', log: ['looked at 500'] });
    expect((await all(fork.history())).at(-1)?.id).toBe('main@1');
    expect(await engine.delete('fork')).toBe(true);
    await (await engine.start(orders, { cents: 1 }, { id: 'main' })).result();
    expect((await engine.verify()).ok).toBe(true);
  });
});
