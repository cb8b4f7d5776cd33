import { type Checkpoint, channel, counter, graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const calls: string[] = [];

const refunds = graph('refunds', {
  state: { cents: z.int(), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: { show: z.string(), answer: z.boolean() } },
})
  .node('check', async ({ state, step }) => {
    await step('look up', () => calls.push('look up'));
    return { log: `checked ${state.cents}` };
  })
  .node('approve', async ({ state, step, ask }) => {
    await step('score', () => calls.push('score'));
    return { approved: await ask('approval', `Refund ${state.cents}?`) };
  })
  .node('pay', ({ state }) => ({ log: `paid ${state.cents}` }))
  .edge('start', 'check')
  .edge('check', 'approve')
  .route('approve', ['pay', 'end'], ({ approved }) => (approved === true ? 'pay' : 'end'))
  .edge('pay', 'end')
  .compile();

const count = graph('count', { state: { n: counter(), upTo: z.number(), seen: list<number>() } })
  .node('next', ({ state }) => ({ n: 1, seen: state.n }))
  .edge('start', 'next')
  .route('next', ['next', 'end'], ({ n, upTo }) => (n < upTo ? 'next' : 'end'))
  .compile();

const ids = (history: readonly Checkpoint<object>[]): readonly string[] => history.map(({ id }) => id);

describeEverywhere('history', (place) => {
  test('is newest first, with the state of each checkpoint, in pages that fit together', async () => {
    const engine = await place().open();
    const run = await engine.start(count, { upTo: 90 }, { id: 'c' });
    await run.outcome();
    const history = await all(run.history());
    expect(history).toHaveLength(91);
    expect(history.map(({ superstep: step }) => step)).toEqual(Array.from({ length: 91 }, (_, at) => 90 - at));
    for (const { superstep: step, state } of history) {
      expect(state.n).toBe(step);
      expect(state.seen).toHaveLength(step);
    }
    expect(history[0]).toMatchObject({ status: 'completed', next: [], covers: history[0]?.seq });
    expect(history[1]).toMatchObject({ status: 'running', next: ['next'] });
    expect(history.at(-1)).toMatchObject({ superstep: 0, parentId: null });
    expect(history.slice(0, -1).map(({ parentId }) => parentId)).toEqual(ids(history).slice(1));
    const page = await all(run.history({ limit: 10, before: history[4]?.id }));
    expect(ids(page)).toEqual(ids(history).slice(5, 15));
    expect(await all(run.history({ limit: 0 }))).toEqual([]);
  });

  test('gives the state at any place, that of the step before it in between', async () => {
    const engine = await place().open();
    const run = await engine.start(refunds, { cents: 5 }, { id: 'r' });
    await run.outcome();
    const latest = await run.checkpoint();
    expect(latest).toMatchObject({ superstep: 1, next: ['approve'], state: { log: ['checked 5'] } });
    const { head } = await run.summary();
    expect(head).toBeGreaterThan(latest.seq);
    expect((await run.checkpoint(`r@${head}`)).id).toBe(latest.id);
    expect(await run.state('r@1')).toMatchObject({ cents: 5, log: [] });
    await expect(run.checkpoint('r@99')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(run.checkpoint('other@1')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(run.checkpoint('nonsense')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR' });
  });

  test('diffs any two checkpoints', async () => {
    const engine = await place().open();
    const run = await engine.start(count, { upTo: 3 }, { id: 'c' });
    await run.outcome();
    const [last, , middle] = await all(run.history());
    expect(await run.diff(middle?.id ?? '', last?.id ?? '')).toEqual([
      { op: 'replace', path: '/n', before: 1, after: 3 },
      { op: 'add', path: '/seen/1', after: 1 },
      { op: 'add', path: '/seen/2', after: 2 },
    ]);
    expect(await run.diff(last?.id ?? '', middle?.id ?? '')).toEqual([
      { op: 'replace', path: '/n', before: 3, after: 1 },
      { op: 'remove', path: '/seen/2', before: 2 },
      { op: 'remove', path: '/seen/1', before: 1 },
    ]);
    expect(await run.diff(last?.id ?? '', last?.id ?? '')).toEqual([]);
  });
});

describeEverywhere('forks', (place) => {
  test('of a waiting run share what was done, are suspended, and go their own way', async () => {
    const engine = await place().open();
    const run = await engine.start(refunds, { cents: 12 }, { id: 'r' });
    await run.outcome();
    calls.length = 0;
    const fork = await run.fork({ id: 'f', tags: { why: 'what-if' } });
    expect(await fork.summary()).toMatchObject({
      status: 'suspended',
      tags: { why: 'what-if' },
      forkedAt: `r@${(await run.summary()).head}`,
    });
    await fork.answer('approval', false);
    expect(await fork.outcome()).toMatchObject({
      status: 'completed',
      state: { approved: false, log: ['checked 12'] },
    });
    expect(calls).toEqual([]);
    expect((await run.outcome()).status).toBe('waiting');
    await run.answer('approval', true);
    expect(await run.outcome()).toMatchObject({ state: { log: ['checked 12', 'paid 12'] } });
    expect((await all(engine.runs({ forkOf: 'r' }))).map(({ id }) => id)).toEqual(['f']);
    expect(await run.diff((await run.checkpoint()).id, (await fork.checkpoint()).id)).toContainEqual({
      op: 'replace',
      path: '/approved',
      before: true,
      after: false,
    });
  });

  test('with edits begin at the end of a step, validated, and run what comes next anew', async () => {
    const engine = await place().open();
    const run = await engine.start(refunds, { cents: 12 }, { id: 'r' });
    await run.outcome();
    const [checked] = await all(run.history({ limit: 1 }));
    const fork = await run.fork({ at: checked?.id, set: { cents: 5 }, id: 'f', label: 'cheaper' });
    await fork.resume();
    expect((await fork.outcome()).status).toBe('waiting');
    await fork.answer('approval', true);
    expect(await fork.outcome()).toMatchObject({ state: { cents: 5, log: ['checked 12', 'paid 5'] } });
    const history = await all(fork.history());
    expect(history.map(({ label }) => label)).toEqual(['', '', 'cheaper', '', '']);
    expect(history.at(-1)?.id).toBe('r@1');
    const again = await fork.fork({ at: history[2]?.id, next: ['pay'], id: 'g', resume: true });
    expect(await again.outcome()).toMatchObject({ state: { log: ['checked 12', 'paid 5'] } });
    await expect(run.fork({ set: { cents: 'x' as unknown as number } })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_VALUE',
    });
    await expect(run.fork({ set: { price: 1 } as object })).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_CHANNEL' });
    await expect(run.fork({ id: 'f' })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    await expect(run.fork({ next: ['nope' as 'pay'] })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('of a failed run try again; the run they stand on can be deleted', async () => {
    let works = false;
    const flaky = graph('flaky', { state: { log: list<string>() } })
      .node('a', () => ({ log: 'a' }))
      .node('b', () => {
        if (!works) throw new Error('down');
        return { log: 'b' };
      })
      .edge('start', 'a')
      .edge('a', 'b')
      .edge('b', 'end')
      .compile();
    const engine = await place().open();
    const run = await engine.start(flaky, {}, { id: 'r' });
    expect((await run.outcome()).status).toBe('failed');
    const fork = await run.fork({ id: 'f' });
    works = true;
    expect(await engine.delete('r')).toBe(true);
    await fork.resume();
    expect(await fork.outcome()).toMatchObject({ status: 'completed', state: { log: ['a', 'b'] } });
    await expect(engine.get('r')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect((await engine.verify()).ok).toBe(true);
    expect(await engine.delete('f')).toBe(true);
    expect(await engine.delete('f')).toBe(false);
  });
});

describeEverywhere('prune', (place) => {
  test('drops the oldest checkpoints, and a dry run says the same', async () => {
    const engine = await place().open();
    const run = await engine.start(count, { upTo: 20 }, { id: 'c' });
    await run.outcome();
    const dry = await engine.prune({ runId: 'c', keep: 5, dryRun: true });
    expect(await all(run.history())).toHaveLength(21);
    const report = await engine.prune({ runId: 'c', keep: 5 });
    expect(report).toEqual(dry);
    expect(report).toMatchObject({ runs: 1, pruned: 16, retained: 5, protectedBy: [] });
    expect(report.bytes).toBeGreaterThan(0);
    const history = await all(run.history());
    expect(history.map(({ superstep: step }) => step)).toEqual([20, 19, 18, 17, 16]);
    expect(history.at(-1)?.state.seen).toHaveLength(16);
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { n: 20 } });
    await expect(run.checkpoint('c@3')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect(await engine.prune({ runId: 'c', keep: 5 })).toMatchObject({ pruned: 0, retained: 5 });
    expect((await engine.verify()).ok).toBe(true);
  });

  test('keeps what forks stand on, what waits, and the latest, and says so', async () => {
    const engine = await place().open();
    const run = await engine.start(refunds, { cents: 5 }, { id: 'r' });
    await run.outcome();
    expect(await engine.prune({ keep: 0 })).toMatchObject({
      pruned: 1,
      retained: 1,
      protectedBy: [{ because: 'waiting' }],
    });
    await run.answer('approval', true);
    await run.outcome();
    const counted = await engine.start(count, { upTo: 9 }, { id: 'c' });
    await counted.outcome();
    const at = (await all(counted.history()))[4];
    const fork = await counted.fork({ at: at?.id, next: ['next'], id: 'f' });
    const report = await engine.prune({ runId: 'c', keep: 1 });
    expect(report.protectedBy).toEqual([{ checkpoint: at?.id, because: 'fork' }]);
    await fork.resume();
    expect(await fork.outcome()).toMatchObject({ status: 'completed', state: { n: 9 } });
    expect((await all(counted.history())).at(-1)?.id).toBe(at?.id);
    await expect(engine.prune({})).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

describeEverywhere('a fork', (place) => {
  test('of the last super-step of a finished run ends without an empty one', async () => {
    const engine = await place().open();
    const run = await engine.start(count, { upTo: 2 }, { id: 'c' });
    await run.outcome();
    const { id, superstep } = await run.checkpoint();
    const fork = await run.fork({ at: id, id: 'f', resume: true });
    expect(await fork.outcome()).toMatchObject({ status: 'completed', state: { n: 2, seen: [0, 1] } });
    expect((await fork.checkpoint()).superstep).toBe(superstep);
    const records = await all(engine.journal.read('f', { after: `f@${id.split('@')[1]}` }));
    expect(records.map(({ kind }) => kind)).toEqual(['fork', 'resume', 'run-end']);
  });

  test('can be forked at a place that its deleted base still has', async () => {
    const engine = await place().open();
    const run = await engine.start(count, { upTo: 3 }, { id: 'c' });
    await run.outcome();
    const [, third, second] = await all(run.history());
    const fork = await run.fork({ at: third?.id, id: 'f' });
    await engine.delete('c');
    const other = await fork.fork({ at: `f@${second?.seq}`, id: 'g', resume: true });
    expect(await other.outcome()).toMatchObject({ status: 'completed', state: { n: 3, seen: [0, 1, 2] } });
    await engine.delete('f');
    expect(await other.outcome()).toMatchObject({ status: 'completed' });
    expect(await engine.verify()).toMatchObject({ ok: true });
  });
});
