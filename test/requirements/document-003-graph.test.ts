import { channel, counter, goto, graph, HoldfastError, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeDocument, openForTest } from './every-store.ts';

/** Counts how often user code was called, beside the runs. */
function tally(): { readonly calls: string[]; readonly call: (name: string) => void } {
  const calls: string[] = [];
  return { calls, call: (name) => void calls.push(name) };
}

/** Three nodes in a row, each of which counts. */
function threeNodes(call: (name: string) => void = () => {}) {
  return graph('three', { state: { count: counter(), log: list<string>() } })
    .node('first', () => (call('first'), { count: 1, log: 'first' }))
    .node('second', () => (call('second'), { count: 1, log: 'second' }))
    .node('third', () => (call('third'), { count: 1, log: 'third' }))
    .edge('start', 'first')
    .edge('first', 'second')
    .edge('second', 'third')
    .edge('third', 'end')
    .compile();
}

function loop(call: (name: string) => void = () => {}) {
  return graph('loop', { state: { count: counter() } })
    .node('again', () => (call('again'), { count: 1 }))
    .edge('start', 'again')
    .route('again', ['again', 'end'], ({ count }) => (count < 5 ? 'again' : 'end'))
    .compile();
}

describeDocument('003', ({ fresh, store }) => {
  test('builder: nodes, an entry, edges and conditional edges are compiled and executed', async () => {
    const engine = await fresh();
    const sizes = graph('sizes', { state: { n: z.number(), size: channel<string>() } })
      .node('look', () => {})
      .node('small', () => ({ size: 'small' }))
      .node('large', () => ({ size: 'large' }))
      .edge('start', 'look')
      .route('look', ['small', 'large'], ({ n }) => (n > 9 ? 'large' : 'small'))
      .edge(['small', 'large'], 'end')
      .compile();
    for (const [n, size] of [
      [1, 'small'],
      [10, 'large'],
    ] as const) {
      expect(await (await engine.start(sizes, { n })).result()).toEqual({ n, size });
    }
  });

  test('builder: every problem is told at compile time, together', () => {
    const builder = graph('wrong', { state: { a: z.string() } })
      .node('lonely', () => {})
      .node('stuck', () => {})
      .edge('start', 'stuck');
    const problem = (() => {
      try {
        return builder.compile();
      } catch (error) {
        return error;
      }
    })();
    expect(HoldfastError.is(problem, 'HOLDFAST_INVALID_GRAPH')).toBe(true);
    expect((problem as HoldfastError).message).toMatch(/lonely[\s\S]*stuck|stuck[\s\S]*lonely/);
  });

  test('node outputs: an update continues, goto(target) routes, goto("end") finishes', async () => {
    const { calls, call } = tally();
    const jumps = graph('jumps', { state: { log: list<string>() } })
      .node('plain', () => (call('plain'), { log: 'plain' }))
      .node('jump', () => (call('jump'), goto('last', { log: 'jump' })), { to: ['last', 'end'] })
      .node('skipped', () => (call('skipped'), { log: 'skipped' }))
      .node('last', () => (call('last'), goto('end', { log: 'last' })), { to: ['skipped', 'end'] })
      .edge('start', 'plain')
      .edge('plain', 'jump')
      .edge('jump', 'skipped')
      .edge('skipped', 'end')
      .compile();
    const engine = await fresh();
    expect(await (await engine.start(jumps, {})).result()).toEqual({ log: ['plain', 'jump', 'last'] });
    expect(calls).toEqual(['plain', 'jump', 'last']);
  });

  test('node outputs: a target that was not declared is refused before anything runs', async () => {
    const undeclared = graph('undeclared', { state: { log: list<string>() } })
      // @ts-expect-error not one of `to`
      .node('jump', () => goto('nope'), { to: ['elsewhere'] })
      .edge('start', 'jump');
    // Not "nowhere": a graph that leads nowhere is another problem.
    expect(() => undeclared.compile()).toThrow('elsewhere');
  });

  test('outcome: completed with the state, or waiting; and resuming carries the answer', async () => {
    const question = graph('question', {
      state: { colour: channel<string>() },
      asks: { colour: { show: z.string(), answer: z.string() } },
    })
      .node('ask', async ({ ask }) => ({ colour: await ask('colour', 'Which?') }))
      .edge('start', 'ask')
      .edge('ask', 'end')
      .compile();
    const engine = await fresh();
    const run = await engine.start(question, {});
    const waiting = await run.outcome();
    expect(waiting).toMatchObject({ status: 'waiting', waits: [{ kind: 'ask', name: 'colour', show: 'Which?' }] });
    await run.answer('colour', 'blue');
    expect(await run.outcome()).toEqual({ status: 'completed', state: { colour: 'blue' }, output: { colour: 'blue' } });
  });

  test('invoke, then resume: an interrupted run continues where it stood, in another engine too', async () => {
    const place = store();
    const { calls, call } = tally();
    const code = threeNodes(call);
    const engine = await openForTest(place);
    const run = await engine.start(code, {}, { id: 'thread-1', pauseBefore: ['second'] });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'pause', when: 'before' }] });
    await engine.close();
    const again = await openForTest(place, { graphs: [code] });
    const resumed = await (await again.get(code, 'thread-1')).resume();
    expect(await resumed.result()).toEqual({ count: 3, log: ['first', 'second', 'third'] });
    expect(calls).toEqual(['first', 'second', 'third']);
  });

  test('resume from an old checkpoint is a run of its own: branches never interleave', async () => {
    const engine = await fresh();
    const { calls, call } = tally();
    const run = await engine.start(threeNodes(call), {}, { id: 'thread-1' });
    await run.result();
    const before = await all(run.history());
    const first = before.find(({ next }) => next.includes('second'));
    const branch = await run.fork({ at: first?.id, resume: true });
    expect(branch.id).not.toBe('thread-1');
    expect(await branch.result()).toEqual({ count: 3, log: ['first', 'second', 'third'] });
    expect(calls).toEqual(['first', 'second', 'third', 'second', 'third']);
    expect((await all(run.history())).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('history: newest first, limited', async () => {
    const engine = await fresh();
    const run = await engine.start(threeNodes(), {});
    await run.result();
    const counts = (await all(run.history())).map(({ state }) => state.count);
    expect(counts).toEqual([...counts].toSorted((a, b) => b - a));
    expect((await all(run.history({ limit: 2 }))).map(({ state }) => state.count)).toEqual(counts.slice(0, 2));
  });

  test('a checkpoint every super-step, always', async () => {
    const engine = await fresh();
    const run = await engine.start(threeNodes(), {});
    await run.result();
    const supersteps = (await all(run.history())).map(({ superstep, next }) => ({ superstep, next }));
    expect(supersteps.slice(0, 3)).toEqual([
      { superstep: 3, next: [] },
      { superstep: 2, next: ['third'] },
      { superstep: 1, next: ['second'] },
    ]);
  });

  test('iteration limit: what was done is saved, then it is an error, and a higher limit continues from there', async () => {
    const engine = await fresh();
    const { calls, call } = tally();
    const run = await engine.start(loop(call), {}, { maxSupersteps: 3 });
    const outcome = await run.outcome();
    expect(outcome).toMatchObject({
      status: 'failed',
      state: { count: 3 },
      error: { code: 'HOLDFAST_MAX_SUPERSTEPS' },
    });
    expect(await run.state()).toEqual({ count: 3 });
    await expect((await run.resume({ maxSupersteps: 5 })).result()).resolves.toEqual({ count: 5 });
    expect(calls).toHaveLength(5);
  });

  test('iteration limit: it counts over the whole life, restarts included', async () => {
    const place = store();
    const engine = await openForTest(place);
    const code = loop();
    const first = await engine.start(code, {}, { id: 'thread-1', maxSupersteps: 4, pauseAfter: ['again'] });
    expect(await first.outcome()).toMatchObject({ status: 'waiting' });
    await engine.close();
    const again = await openForTest(place, { graphs: [code] });
    let run = await again.get(code, 'thread-1');
    for (let n = 0; n < 9 && (await run.outcome()).status === 'waiting'; n += 1) run = await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'failed', state: { count: 4 } });
  });

  test('iteration limit: finishing on exactly the limit is finishing', async () => {
    const engine = await fresh();
    const run = await engine.start(loop(), {}, { maxSupersteps: 5 });
    expect(await run.result()).toEqual({ count: 5 });
  });

  test('missing run, missing checkpoint, missing node: typed errors with the id', async () => {
    const engine = await fresh();
    const code = threeNodes();
    const missing = { code: 'HOLDFAST_NOT_FOUND' };
    await expect(engine.get(code, 'nobody')).rejects.toMatchObject({ ...missing, details: { runId: 'nobody' } });
    const run = await engine.start(code, {}, { id: 'thread-1' });
    await run.result();
    await expect(run.checkpoint('thread-1@999')).rejects.toThrow('thread-1@999');
    await expect(run.fork({ at: 'thread-1@999' })).rejects.toThrow('thread-1@999');
    // @ts-expect-error unknown node
    await expect(run.fork({ next: ['nope'] })).rejects.toThrow('nope');
  });

  test('the final state is saved', async () => {
    const place = store();
    const engine = await openForTest(place);
    const code = threeNodes();
    const output = await (await engine.start(code, {}, { id: 'thread-1' })).result();
    await engine.close();
    const again = await (await openForTest(place)).get(code, 'thread-1');
    expect(await again.state()).toEqual(output);
    expect(await again.outcome()).toEqual({ status: 'completed', state: output, output });
  });

  test('resuming a completed run executes nothing', async () => {
    const engine = await fresh();
    const { calls, call } = tally();
    const run = await engine.start(threeNodes(call), {});
    await run.result();
    const outcome = await run.resume().then(
      (resumed) => resumed.outcome(),
      () => run.outcome(),
    );
    expect(outcome).toMatchObject({ status: 'completed', state: { count: 3 } });
    expect(await engine.recover()).toBe(0);
    expect(calls).toEqual(['first', 'second', 'third']);
  });
});
