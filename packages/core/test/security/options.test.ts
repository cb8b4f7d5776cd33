import { HoldfastError, openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../../src/channel/channel.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { all, describeEverywhere } from '../engine/every-place.ts';

const invalid = (option: string): object => ({ code: 'HOLDFAST_INVALID_OPTION', details: { option } });
const napping = workflow('napping', { input: z.null() }, async (_, { sleep }) => sleep('nap', '1h'));

const routed = graph('routed', { state: { text: channel<string>() } })
  .node('a', () => ({}))
  .route('start', ['a'], ({ text }) => {
    throw new Error(`no way for ${text}`);
  })
  .edge('a', 'end')
  .compile();

describeEverywhere('15.14 mistakes are refused with a typed error', (place) => {
  test('an entry route that throws', async () => {
    const engine = await place().open();
    const error = await engine.start(routed, { text: 'x' }, { id: 'r' }).catch((thrown: unknown) => thrown);
    if (!HoldfastError.is(error, 'HOLDFAST_INVALID_ROUTE')) throw error;
    expect(error).toMatchObject({ details: { node: 'start' }, cause: { message: 'no way for x' } });
    expect(await all(engine.runs())).toEqual([]);
  });

  test('unknown options of start, submit, resume, fork, work and asks', async () => {
    const engine = await place().open();
    await expect(engine.start(napping, null, { tag: {} } as never)).rejects.toMatchObject(invalid('tag'));
    await expect(engine.submit(napping, null, { run: 'r' } as never)).rejects.toMatchObject(invalid('run'));
    await expect(engine.start(napping, null, null as never)).rejects.toMatchObject(invalid('options'));
    const run = await engine.start(napping, null);
    await expect(run.resume({ maxSteps: 5 } as never)).rejects.toMatchObject(invalid('maxSteps'));
    await expect(run.fork({ from: 'r@1' } as never)).rejects.toMatchObject(invalid('from'));
    await expect(all(engine.asks({ node: 'x' } as never))).rejects.toMatchObject(invalid('node'));
    await expect(all(engine.runs({ name: 'x' } as never))).rejects.toMatchObject(invalid('name'));
    expect(() => engine.work({ parallel: 3 } as never)).toThrow(expect.objectContaining(invalid('parallel')));
  });

  test.each([-1, 0, 1.5, Number.NaN, '3'])('resume({ maxSupersteps: %o })', async (maxSupersteps) => {
    const engine = await place().open();
    const run = await engine.start(napping, null);
    await expect(run.resume({ maxSupersteps: maxSupersteps as never })).rejects.toMatchObject(invalid('maxSupersteps'));
  });

  test.each([
    ['signal', { signal: 'SIGTERM' }],
    ['drain', { drain: Number.NaN }],
    ['drain', { drain: 'soon' }],
    ['concurrency', { concurrency: 0 }],
    ['options', null],
  ])('work() with a bad %s', async (option, options) => {
    const engine = await place().open();
    expect(() => engine.work(options as never)).toThrow(expect.objectContaining(invalid(option)));
  });

  test('events() after a place past the end', async () => {
    const engine = await place().open();
    const run = await engine.start(napping, null, { id: 'r' });
    const { head } = await run.summary();
    const events = run.events({ after: head + 1_000 });
    await expect(all(events)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_CURSOR', details: { runId: 'r' } });
  });

  test.each([
    { a: ' ' },
    { a: '' },
    { '\t': 'b' },
    { a: 'x\0y' },
    { a: '\ud800' },
    { a: 'x'.repeat(257) },
    { a: 1 },
    [],
  ])('the tags %j', async (tags) => {
    const engine = await place().open();
    await expect(engine.start(napping, null, { tags: tags as never })).rejects.toMatchObject(invalid('tags'));
  });
});

describe('openEngine()', () => {
  test('refuses an unknown option', async () => {
    await expect(openEngine(memoryStore(), { graph: [] } as never)).rejects.toMatchObject(invalid('graph'));
    await expect(openEngine(memoryStore(), null as never)).rejects.toMatchObject(invalid('options'));
  });
});
