// The rows on pruning, for runs that the engine executes.
import { counter, graph, list, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeDocument } from './every-store.ts';

const count = graph('count', { state: { n: counter(), upTo: z.number(), seen: list<number>() } })
  .node('next', ({ state }) => ({ n: 1, seen: state.n }))
  .edge('start', 'next')
  .route('next', ['next', 'end'], ({ n, upTo }) => (n < upTo ? 'next' : 'end'))
  .compile();

const chat = graph('chat', { state: { words: list<string>() } })
  .node('hear', () => ({}))
  .edge('start', 'hear')
  .edge('hear', 'end')
  .compile();

const paying = workflow('paying', { input: z.null() }, async (_, { step }) =>
  step('pay', () => new Promise<never>(() => {}), { effect: 'once', timeout: 20 }),
);

describeDocument('001', ({ fresh }) => {
  test('prune drops what covers less, and says what it dropped and kept', async () => {
    const engine = await fresh();
    const run = await engine.start(count, { upTo: 8 }, { id: 'r' });
    await run.result();
    const before = (await all(run.history()))[3]?.seq ?? 0;
    const dry = await engine.prune({ runId: 'r', before, dryRun: true });
    expect(await all(run.history())).toHaveLength(9);
    expect(await engine.prune({ runId: 'r', before })).toEqual(dry);
    expect(dry).toMatchObject({ runs: 1, pruned: 5, retained: 4, preservedTerminal: [], protectedBy: [] });
    expect((await all(run.history())).map(({ superstep }) => superstep)).toEqual([8, 7, 6, 5]);
    expect((await run.state()).seen).toHaveLength(8);
  });

  test('prune of an unknown run is zeros; the last checkpoint of a run is never removed', async () => {
    const engine = await fresh();
    expect(await engine.prune({ runId: 'nobody', keep: 1 })).toMatchObject({
      runs: 0,
      pruned: 0,
      retained: 0,
      bytes: 0,
    });
    const run = await engine.start(count, { upTo: 3 }, { id: 'r' });
    await run.result();
    const report = await engine.prune({ runId: 'r', keep: 0, before: 1_000 });
    expect(report).toMatchObject({ pruned: 3, retained: 1, protectedBy: [{ because: 'latest' }] });
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { n: 3 } });
  });

  test('prune keeps the latest terminal checkpoint if asked, and names it', async () => {
    const engine = await fresh();
    const run = await engine.start(chat, { words: 'one' }, { id: 'r', turn: 'a' });
    await run.result();
    const [ended] = await all(run.history({ limit: 1 }));
    const fork = await run.fork({ id: 'f', next: ['hear'] });
    expect((await fork.summary()).status).toBe('suspended');
    await engine.start(chat, { words: 'two' }, { id: 'r', turn: 'b' }).then((turn) => turn.result());
    await engine.delete('f');
    const [last] = await all(run.history({ limit: 1 }));
    const report = await engine.prune({ runId: 'r', keep: 1, keepLatestTerminal: true });
    expect(report.preservedTerminal).toEqual([last?.id]);
    expect(report.retained).toBe(1);
    expect(ended?.status).toBe('completed');
  });

  test('prune never removes what a fork stands on, or what is before a pending effect, and says so', async () => {
    const engine = await fresh();
    const run = await engine.start(count, { upTo: 6 }, { id: 'r' });
    await run.result();
    const at = (await all(run.history()))[3]?.id;
    const fork = await run.fork({ id: 'f', at });
    const report = await engine.prune({ runId: 'r', keep: 1 });
    expect(report).toMatchObject({ pruned: 3, retained: 4, protectedBy: [{ checkpoint: at, because: 'fork' }] });
    await fork.resume();
    expect(await fork.result()).toMatchObject({ n: 6 });
    const pending = await engine.start(paying, null, { id: 'p' });
    expect(await pending.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'effect' }] });
    expect((await engine.prune({ runId: 'p', keep: 0 })).protectedBy).toMatchObject([{ because: 'pending-effect' }]);
  });

  test('prune takes only runs of the status, where one is given', async () => {
    const engine = await fresh();
    const waiting = workflow(
      'waiting',
      { input: z.null(), asks: { go: { show: z.null(), answer: z.null() } } },
      (_, { ask }) => ask('go', null),
    );
    await (await engine.start(waiting, null)).outcome();
    await (await engine.start(count, { upTo: 3 })).result();
    expect(await engine.prune({ status: ['failed'], keep: 1 })).toMatchObject({ pruned: 0 });
    expect(await engine.prune({ status: ['completed'], keep: 1 })).toMatchObject({ runs: 1, pruned: 3 });
  });
});
