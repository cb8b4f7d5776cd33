import { channel, type Engine, graph, list, openEngine, workflow } from 'holdfast';
import { memoryStore, virtualClock } from 'holdfast/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { all, memoryPlace } from './every-place.ts';

const question = { approval: { show: z.string(), answer: z.boolean() } };

const refunds = graph('refunds', {
  state: { cents: z.int(), log: list<string>(), ok: channel<boolean>() },
  asks: question,
})
  .node('approve', async ({ ask: askFor, state }) => ({ ok: await askFor('approval', `Refund ${state.cents}?`) }))
  .node('pay', () => ({ log: 'paid' }))
  .edge('start', 'approve')
  .edge('approve', 'pay')
  .edge('pay', 'end')
  .compile();

const quick = workflow('quick', { input: z.object({}) }, async () => 'done');

/** Two runs that wait for an answer, one of them with a tag, and one that has completed. */
async function someRuns(): Promise<Engine> {
  const engine = await memoryPlace().open();
  for (const id of ['a-1', 'a-2']) {
    const tags = id === 'a-2' ? { team: 'red' } : {};
    await (await engine.start(refunds, { cents: 5 }, { id, tags })).outcome();
  }
  await (await engine.start(quick, {}, { id: 'b-1' })).outcome();
  return engine;
}

async function idsOf(runs: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  return (await all(runs)).map(({ id }) => id).toSorted();
}

describe('runs()', () => {
  test('finds runs by each filter', async () => {
    const engine = await someRuns();
    expect(await idsOf(engine.runs({ status: 'waiting' }))).toEqual(['a-1', 'a-2']);
    expect(await idsOf(engine.runs({ status: ['waiting', 'completed'] }))).toEqual(['a-1', 'a-2', 'b-1']);
    expect(await idsOf(engine.runs({ graph: 'quick' }))).toEqual(['b-1']);
    expect(await idsOf(engine.runs({ node: 'approve', tags: { team: 'red' } }))).toEqual(['a-2']);
    expect(await idsOf(engine.runs({ idPrefix: 'a-' }))).toEqual(['a-1', 'a-2']);
    expect(await idsOf(engine.runs({ parentId: 'a-1' }))).toEqual([]);
    await (await engine.get(refunds, 'a-1')).fork({ id: 'c-1' });
    expect(await idsOf(engine.runs({ forkOf: 'a-1' }))).toEqual(['c-1']);
  });

  test('finds runs that were not written to for some time', async () => {
    const clock = virtualClock();
    const engine = await memoryPlace().open({ clock });
    await (await engine.start(quick, {}, { id: 'old' })).outcome();
    await clock.advance('2h');
    await (await engine.start(quick, {}, { id: 'new' })).outcome();
    expect(await idsOf(engine.runs({ olderThan: '1h' }))).toEqual(['old']);
  });

  test('gives pages, the next one after a run of the last', async () => {
    const engine = await someRuns();
    const [first] = await all(engine.runs({ limit: 1 }));
    const rest = await idsOf(engine.runs({ after: first?.id }));
    expect(new Set([first?.id, ...rest])).toEqual(new Set(['a-1', 'a-2', 'b-1']));
    expect(await all(engine.runs({ limit: 0 }))).toEqual([]);
  });

  test.each([
    [{ limit: -1 }, 'HOLDFAST_INVALID_OPTION'],
    [{ limit: 1.5 }, 'HOLDFAST_INVALID_OPTION'],
    [{ colour: 'red' }, 'HOLDFAST_INVALID_OPTION'],
    [{ after: 'nobody' }, 'HOLDFAST_NOT_FOUND'],
  ])('refuses %j with %s', async (query, code) => {
    const engine = await someRuns();
    await expect(all(engine.runs(query as never))).rejects.toMatchObject({ code });
  });
});

describe('asks()', () => {
  test('finds open questions by each filter, in pages', async () => {
    const engine = await someRuns();
    const asks = await all(engine.asks());
    expect(asks.map(({ runId, name, show }) => [runId, name, show])).toEqual([
      ['a-1', 'approval', 'Refund 5?'],
      ['a-2', 'approval', 'Refund 5?'],
    ]);
    expect(await all(engine.asks({ name: 'nothing' }))).toEqual([]);
    expect(await all(engine.asks({ graph: 'quick' }))).toEqual([]);
    expect((await all(engine.asks({ tags: { team: 'red' } }))).map(({ runId }) => runId)).toEqual(['a-2']);
    expect((await all(engine.asks({ after: asks[0]?.id }))).map(({ runId }) => runId)).toEqual(['a-2']);
    expect(await all(engine.asks({ limit: 1 }))).toHaveLength(1);
    expect(await all(engine.asks({ limit: 0 }))).toEqual([]);
    await expect(all(engine.asks({ limit: -1 }))).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('finds those of a run and its child runs', async () => {
    const parent = workflow('parent', { input: z.object({}) }, async (_, { child }) => {
      await child('inner', refunds, { cents: 1 });
    });
    const engine = await memoryPlace().open();
    await (await engine.start(parent, {}, { id: 'p' })).outcome();
    expect(await all(engine.asks({ under: 'p' }))).toMatchObject([{ graph: 'refunds', name: 'approval' }]);
    expect(await all(engine.asks({ under: 'p', graph: 'parent' }))).toEqual([]);
    expect(await all(engine.asks({ under: 'nobody' }))).toEqual([]);
  });
});

/** A run and an engine that does not have its code. */
async function withoutCode() {
  const store = memoryStore();
  const engine = await openEngine(store);
  await (await engine.start(refunds, { cents: 5 }, { id: 'r' })).outcome();
  await engine.close();
  const other = await openEngine(store, { executes: false });
  onTestFinished(() => other.close());
  return other.get('r');
}

describe('fork()', () => {
  test('edits a state whose code is not here', async () => {
    const run = await withoutCode();
    const fork = await run.fork({ set: { cents: 7 }, next: ['pay'] });
    expect(await fork.state()).toMatchObject({ cents: 7 });
    expect((await fork.summary()).status).toBe('suspended');
  });

  test('refuses a channel that the state does not have, also without the code', async () => {
    const run = await withoutCode();
    const forking = run.fork({ set: { colour: 'red' } });
    await expect(forking).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_CHANNEL', details: { channel: 'colour' } });
  });

  test('refuses a node that the graph does not have, an id that is taken, and an unknown place', async () => {
    const engine = await someRuns();
    const run = await engine.get(refunds, 'a-1');
    await expect(run.fork({ next: ['nowhere' as never] })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(run.fork({ id: 'a-2' })).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    await expect(run.fork({ at: 'a-1@99' })).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(run.fork({ at: 'a-2@1' })).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
  });
});

describe('start()', () => {
  test('refuses an id of another graph, of a journal run and of a deleted run', async () => {
    const engine = await someRuns();
    const { journal } = engine;
    await journal.append('j', {});
    await expect(engine.start(quick, {}, { id: 'a-1' })).rejects.toMatchObject({ code: 'HOLDFAST_INPUT_MISMATCH' });
    await expect(engine.start(quick, {}, { id: 'j' })).rejects.toMatchObject({ code: 'HOLDFAST_INPUT_MISMATCH' });
    await (await engine.get(refunds, 'a-1')).fork({ id: 'f' });
    await engine.delete('a-1');
    await expect(engine.start(refunds, { cents: 1 }, { id: 'a-1' })).rejects.toMatchObject({
      code: 'HOLDFAST_ID_TAKEN',
    });
  });

  test('refuses a turn without an id, a turn with a different input, and a turn of a cancelled run', async () => {
    const engine = await someRuns();
    await expect(engine.start(refunds, { cents: 1 }, { turn: 't' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
    await engine.start(refunds, { cents: 1 }, { id: 'chat', turn: 't' });
    await expect(engine.start(refunds, { cents: 2 }, { id: 'chat', turn: 't' })).rejects.toMatchObject({
      code: 'HOLDFAST_INPUT_MISMATCH',
    });
    await (await engine.get(refunds, 'chat')).cancel();
    await expect(engine.start(refunds, { cents: 2 }, { id: 'chat', turn: 'u' })).rejects.toMatchObject({
      code: 'HOLDFAST_RUN_ENDED',
    });
  });
});

describe('settle() and answer()', () => {
  test('refuse what is no outcome, an unknown effect, an unknown question and an unknown run', async () => {
    const engine = await someRuns();
    const run = await engine.get(refunds, 'a-1');
    await expect(run.settle('k', 'done' as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(run.settle('k', 'retry')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(run.answer('colour' as never, true as never)).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
    });
    await expect(run.answer('approval', true, { id: 'nobody' })).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
    });
    await expect(engine.get('nobody')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    await expect(engine.get(quick, 'a-1')).rejects.toMatchObject({ code: 'HOLDFAST_INPUT_MISMATCH' });
  });
});
