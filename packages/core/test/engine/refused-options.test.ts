// What a caller may get wrong without TypeScript noticing: a misspelt option would do nothing, and a text that some store
// cannot keep would come back as an error of the store.
import { type Engine, openEngine, type Run, workflow } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const asks = workflow('asks', { input: z.null(), asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));
const misspelt = { nope: 1 } as object;

type Call = (run: Run, engine: Engine) => unknown;

const calls: readonly [name: string, call: Call][] = [
  ['outcome', (run) => run.outcome(misspelt)],
  ['result', (run) => run.result(misspelt)],
  ['emits', (run) => all(run.emits(misspelt))],
  ['events', (run) => all(run.events(misspelt))],
  ['history', (run) => all(run.history(misspelt))],
  ['diff', (run) => run.diff('r@1', 'r', misspelt)],
  ['answer', (run) => run.answer('ok', true, misspelt)],
  ['send', (run) => run.send('mail', true, misspelt)],
  ['settle', (run) => run.settle('key', 'retry', misspelt)],
  ['cancel', (run) => run.cancel('over', misspelt)],
  ['resume', (run) => run.resume(misspelt)],
  ['fork', (run) => run.fork(misspelt)],
  ['checkpoints.list', (_, { checkpoints }) => all(checkpoints.list('loop', misspelt))],
  ['checkpoints.fork', (_, { checkpoints }) => checkpoints.fork('loop@1', misspelt)],
  ['checkpoints.save', (_, { checkpoints }) => checkpoints.save('loop', { state: {}, ...misspelt })],
  ['journal.append', (_, { journal }) => journal.append('loop', [{ payload: 1 }], misspelt)],
  ['journal.read', (_, { journal }) => all(journal.read('loop', misspelt))],
  ['runs', (_, engine) => all(engine.runs(misspelt))],
  ['asks', (_, engine) => all(engine.asks(misspelt))],
];

describeEverywhere('a misspelt option', (place) => {
  test('is refused by every call, and nothing is written', async () => {
    const engine = await place().open();
    await (await engine.start(asks, null, { id: 'r' })).outcome();
    const run = await engine.get('r');
    await engine.checkpoints.save('loop', { state: { n: 1 } });
    const before = await all(engine.runs());
    for (const [name, call] of calls) {
      const refused = (async () => call(run, engine))();
      await expect(refused, name).rejects.toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
        message: expect.stringContaining('nope') as string,
      });
    }
    expect(await all(engine.runs())).toEqual(before);
  });

  test('is refused where its value is wrong', async () => {
    const engine = await place().open();
    const run = await engine.start(asks, null, { id: 'r' });
    await run.outcome();
    await engine.checkpoints.save('loop', { state: { n: 1 } });
    const { checkpoints } = engine;
    for (const call of [
      () => all(run.events({ until: 'never' as 'end' })),
      () => checkpoints.fork('loop@1', { set: 3 as unknown as Record<string, unknown> }),
      () => checkpoints.fork('loop@1', { label: 4 as unknown as string }),
      () => all(engine.runs({ status: 'resting' as 'waiting' })),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

describeEverywhere('a text that no store keeps as it is', (place) => {
  test.each(['a\0b', '\ud800'])('is refused by the call that brings it: %j', async (text) => {
    const { store, open } = place();
    const engine = await open();
    const save: typeof engine.checkpoints.save = (run, checkpoint) => engine.checkpoints.save(run, checkpoint);
    const invalid = { code: 'HOLDFAST_INVALID_OPTION' };
    await expect(save('loop', { state: {}, graph: text })).rejects.toMatchObject(invalid);
    await expect(save('loop', { state: {}, next: ['fine', text] })).rejects.toMatchObject(invalid);
    await expect(save('loop', { state: {}, tags: { [text]: 'x' } })).rejects.toMatchObject(invalid);
    await expect(engine.journal.append('loop', [{ labels: [text] }])).rejects.toMatchObject(invalid);
    expect(await all(engine.runs())).toEqual([]);
    // Also of a run that is there, whose header would not change.
    await save('loop', { state: { n: 1 } });
    await expect(save('loop', { state: { n: 2 }, graph: text })).rejects.toMatchObject(invalid);
    await expect(openEngine(store, { workerId: text })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining('workerId') as string,
    });
    // What is in records and values is kept as it is.
    await save('loop', { state: { [text]: text }, label: text });
    expect(await engine.checkpoints.latest('loop')).toMatchObject({ state: { [text]: text }, label: text });
  });
});

test('a worker may have a name as long as an id has room for', async () => {
  const { memoryStore } = await import('holdfast/testing');
  const engine = await openEngine(memoryStore(), { workerId: 'w'.repeat(112) });
  onTestFinished(() => engine.close());
  await expect(openEngine(memoryStore(), { workerId: 'w'.repeat(113) })).rejects.toMatchObject({
    code: 'HOLDFAST_INVALID_OPTION',
  });
});

test.each([undefined, {}, 'runs.db'])('what is no store says what a store is: %j', async (given) => {
  await expect(openEngine(given as never)).rejects.toThrow(/sqlite:/);
});
