import { graph, list, type RunEvent, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, memoryPlace } from './every-place.ts';

const none = z.object({});

const leaf = workflow(
  'leaf',
  { input: z.object({ name: z.string() }), emits: z.string() },
  async ({ name }, { step, emit }) => {
    emit(`${name} begins`);
    return step('work', () => name);
  },
);

const inner = workflow('inner', { input: none, asks: { ok: z.boolean() } }, async (_, { child, ask }) => {
  const name = await child('deep', leaf, { name: 'deep' });
  await ask('ok');
  return name;
});

/** Two children at a time, one of which waits and has a child of its own; then one more. */
const root = workflow('root', { input: none }, async (_, { child }) => {
  const both = await Promise.all([child('left', leaf, { name: 'left' }), child('right', inner, {})]);
  return [...both, await child('last', leaf, { name: 'last' })];
});

function isJournalled({ type, ...event }: RunEvent): boolean {
  return type !== 'node-start' && type !== 'step-start' && !('replayed' in event && event.replayed);
}

/** What an event says, whoever read it when. */
function told({ cursor: _, ...event }: RunEvent): string {
  return JSON.stringify(event);
}

describeEverywhere('events({ children: true })', (place) => {
  test('has the events of children and theirs, each with its run, in an order that makes sense', async () => {
    const engine = await place().open();
    const run = await engine.start(root, {}, { id: 'r' });
    await run.outcome();
    const question = await engine.asks().first();
    await engine.answer(question?.id ?? '', true);
    expect(await run.result()).toEqual(['left', 'deep', 'last']);
    const events = await all(run.events({ children: true }));
    const runs = await all(engine.runs());
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set(runs.map(({ id }) => id)));
    for (const { id } of runs) {
      const own = await all(engine.get(id).events());
      expect(events.filter(({ runId }) => runId === id).map(told)).toEqual(own.map(told));
    }
    for (const [at, event] of events.entries()) {
      if (event.type !== 'wait' || event.wait.kind !== 'child') continue;
      const { childId, id } = event.wait;
      const places = events.flatMap(({ runId }, index) => (runId === childId ? [index] : []));
      const end = events.findIndex((other) => other.type === 'wait-end' && other.wait === id);
      expect(Math.min(...places)).toBeGreaterThan(at);
      expect(Math.max(...places)).toBeLessThan(end);
    }
  });

  test('continues after any of its cursors, without gap or duplicate, in another process too', async () => {
    const here = place();
    const first = await here.open();
    const run = await first.start(root, {}, { id: 'r' });
    await run.outcome();
    await first.answer((await first.asks().first())?.id ?? '', true);
    await run.result();
    await first.close();
    const again = (await here.open()).get(root, 'r');
    const whole = await all(again.events({ children: true }));
    for (const [at, { cursor }] of whole.entries()) {
      const rest = await all(again.events({ children: true, after: cursor }));
      expect(rest).toEqual(whole.slice(at + 1));
      expect(cursor).toMatch(/^[\w.;@%!'()*~-]+$/u);
    }
    // Completed children are not in it: it stays as short as the work in flight.
    expect(whole.at(-1)?.cursor).toMatch(/^\d+\.\d+$/u);
    const own = await all(again.events());
    expect(own.map(({ runId }) => runId)).toEqual(own.map(() => 'r'));
    const [middle] = whole.filter(({ cursor }) => cursor.includes(';'));
    expect(await all(again.events({ after: middle?.cursor }))).toEqual(
      await all(again.events({ after: middle?.cursor.split(';')[0] })),
    );
  });

  test('misses nothing and repeats nothing for a client that reconnects while the runs continue', async () => {
    const engine = await place().open();
    const run = await engine.start(root, {}, { id: 'r' });
    const seen: RunEvent[] = [];
    let after: string | undefined;
    for (let isOver = false; !isOver; ) {
      isOver = true;
      for await (const event of run.events({ children: true, after })) {
        if (event.type === 'wait' && event.wait.kind === 'ask') await engine.answer(event.wait.id, true);
        ({ cursor: after } = event);
        if (!isJournalled(event)) continue;
        seen.push(event);
        isOver = event.type === 'run-end' && event.runId === 'r';
        if (!isOver) break;
      }
    }
    const whole = await all(run.events({ children: true }));
    expect(seen.map(told).toSorted()).toEqual(whole.map(told).toSorted());
    for (const { runId } of whole) {
      const ofRun = (events: readonly RunEvent[]): readonly string[] =>
        events.filter((event) => event.runId === runId).map(told);
      expect(ofRun(seen)).toEqual(ofRun(whole));
    }
  });

  test('continues with a child that failed and was resumed', async () => {
    let isBroken = true;
    const shaky = workflow('shaky', { input: none }, async (_, { step }) =>
      step('call', () => {
        if (isBroken) throw new Error('down');
        return 'up';
      }),
    );
    const parent = graph('parent', { state: { log: list<string>() } })
      .node('call', async ({ child }) => ({ log: await child('shaky', shaky, {}) }))
      .edge('start', 'call')
      .edge('call', 'end')
      .compile();
    const engine = await place().open();
    const run = await engine.start(parent, {}, { id: 'r' });
    await run.result().catch(() => undefined);
    const before = await all(run.events({ children: true }));
    isBroken = false;
    await run.resume();
    await run.result();
    const whole = await all(run.events({ children: true }));
    const rest = await all(run.events({ children: true, after: before.at(-1)?.cursor }));
    expect([...before, ...rest].map(told).toSorted()).toEqual(whole.map(told).toSorted());
    for (const [at, { cursor }] of whole.entries())
      expect(await all(run.events({ children: true, after: cursor }))).toEqual(whole.slice(at + 1));
  });
});

test('a cursor that is not one is refused', async () => {
  const engine = await memoryPlace().open();
  const run = await engine.start(leaf, { name: 'x' }, { id: 'r' });
  await run.result();
  for (const after of ['x', '1;', '1;a', '1;a@', '1;@1', '1;a@1@2', '1;%@1', '999']) {
    const reading = all(run.events({ children: true, after }));
    await expect(reading).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR', details: { after } });
  }
  // The run itself is not its child, and a child may have been deleted.
  expect(await all(run.events({ children: true, after: '1;r@999;none@1' }))).not.toEqual([]);
  const other = await engine.start(leaf, { name: 'y' }, { id: 'other' });
  await other.result();
  await expect(all(run.events({ children: true, after: '1;other@999' }))).rejects.toMatchObject({
    details: { runId: 'other', after: '999' },
  });
});
