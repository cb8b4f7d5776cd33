// A connection that breaks after the statement was sent: the commit fails, and is executed all the same, later.
import { type Engine, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, placeOn, storesOf } from './every-place.ts';
import { type LateStore, lateStore } from './late-store.ts';

const none = z.object({});
const nothingHappened = { code: 'HOLDFAST_STORE_FAILED', details: { effect: 'none' } };

/** Calls what fails, then again as its caller would; the late commit arrives before or after that. */
async function twice<T>({ arrive }: LateStore, when: 'before' | 'after', call: () => Promise<T>): Promise<T> {
  await expect(call()).rejects.toMatchObject(nothingHappened);
  const early = when === 'before' ? await arrive() : 0;
  const answer = await call();
  expect(early + (await arrive())).toBe(1);
  return answer;
}

// The drivers of the other stores follow.
describe.each(storesOf())('a late commit on $name', ({ create }) => {
  async function setUp() {
    const late = lateStore(create());
    return { late, engine: await placeOn(late.store).open() };
  }

  describe.each(['before', 'after'] as const)('that arrives %s the call is made again', (when) => {
    test.each([false, true])('appends a record once; the run exists: %s', async (exists) => {
      const { late, engine } = await setUp();
      if (exists) await engine.journal.append('r', { payload: 'first' });
      late.breakAt(() => true);
      await twice(late, when, () => engine.journal.append('r', { payload: 'once' }));
      const records = await all(engine.journal.read('r'));
      expect(records.map(({ payload }) => payload)).toEqual(exists ? ['first', 'once'] : ['once']);
    });

    test('sends a message once', async () => {
      const { late, engine } = await setUp();
      const two = workflow('two', { input: none, receives: { go: z.number() } }, async (_, { receive }) => [
        await receive('go'),
        await receive('go'),
      ]);
      const run = await engine.start(two, {}, { id: 'r' });
      await run.outcome();
      late.breakAt(({ runId }) => runId === 'r');
      await twice(late, when, () => run.send('go', 1));
      expect(await run.outcome()).toMatchObject({ status: 'waiting' });
      await run.send('go', 2);
      expect(await run.result()).toEqual([1, 2]);
    });

    test.each(['start', 'submit'] as const)('%ss one run', async (verb) => {
      const { late, engine } = await setUp();
      let bodies = 0;
      const flow = workflow('flow', { input: none }, async () => {
        bodies += 1;
      });
      late.breakAt(({ create: created }) => created !== null);
      const run = await twice(late, when, () => engine[verb](flow, {}));
      if (verb === 'submit') await engine.recover();
      await run.outcome();
      expect(await idsOf(engine)).toEqual([run.id]);
      expect(bodies).toBe(1);
    });

    test('starts the run with the id that was chosen', async () => {
      const { late, engine } = await setUp();
      const flow = workflow('flow', { input: z.object({ n: z.number() }) }, async ({ n }) => n);
      late.breakAt(({ create: created }) => created !== null);
      const run = await twice(late, when, () => engine.start(flow, { n: 1 }, { id: 'r' }));
      expect(await run.result()).toBe(1);
      expect(await idsOf(engine)).toEqual(['r']);
    });

    test('forks a run once', async () => {
      const { late, engine } = await setUp();
      const flow = workflow('flow', { input: none }, async (_, { step }) => step('s', () => 1));
      const run = await engine.start(flow, {}, { id: 'r' });
      await run.outcome();
      late.breakAt(({ create: created }) => created !== null);
      const fork = await twice(late, when, () => run.fork());
      expect(await idsOf(engine)).toEqual([fork.id, 'r'].toSorted());
    });
  });

  test('starts a child once when the connection was only lost', async () => {
    const { late, engine } = await setUp();
    let bodies = 0;
    const inner = workflow('inner', { input: none }, async () => {
      bodies += 1;
      return 7;
    });
    const outer = workflow('outer', { input: none }, (_, { child }) => child('in', inner, {}));
    late.breakAt(({ create: created }) => created?.parentId === 'r', 'transient-late-commit');
    const run = await engine.start(outer, {}, { id: 'r' });
    expect(await run.result()).toBe(7);
    expect(await late.arrive()).toBe(1);
    expect([bodies, (await idsOf(engine)).length]).toEqual([1, 2]);
  });
});

async function idsOf(engine: Engine): Promise<readonly string[]> {
  const found = await all(engine.runs());
  return found.map(({ id }) => id).toSorted();
}
