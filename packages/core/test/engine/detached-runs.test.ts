// start() in a body: a run of its own, started once, that nobody waits for.
import { graph, list, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, memoryPlace } from './every-place.ts';

const none = z.object({});
const receives = { go: z.number() };

describeEverywhere('start() in a body', (place) => {
  test('starts a run once, and continues without waiting for it', async () => {
    const inner = workflow('inner', { input: z.string(), receives }, async (word, { receive }) => {
      await receive('go');
      return word;
    });
    const ids: string[] = [];
    const outer = workflow('outer', { input: none, receives }, async (_, { start, receive }) => {
      ids.push(await start('mail', inner, 'hello', { tags: { kind: 'mail' } }));
      await receive('go');
      return start('mail', inner, 'again');
    });
    const here = place();
    const first = await here.open();
    const run = await first.start(outer, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'receive' }] });
    await first.close();
    const engine = await here.open({ graphs: [outer, inner] });
    await engine.get(outer, 'r').send('go', 1);
    const second = await engine.get(outer, 'r').result();
    expect(new Set(ids).size).toBe(1);
    const started = await engine.runs({ graph: 'inner' }).toArray();
    expect(started).toHaveLength(2);
    expect(started.map(({ parentId }) => parentId)).toEqual([null, null]);
    expect(started.find(({ id }) => id === ids[0])).toMatchObject({ tags: { kind: 'mail' }, status: 'waiting' });
    await engine.get(inner, ids[0] as string).send('go', 1);
    expect(await engine.get(inner, ids[0] as string).result()).toBe('hello');
    expect(second).not.toBe(ids[0]);
  });

  test('finds the run that it started before a crash', async () => {
    const begun = gate();
    let tries = 0;
    const inner = workflow('inner', { input: z.string() }, async (word) => word);
    const outer = workflow('outer', { input: none }, async (_, { start, step }) => {
      const id = await start('mail', inner, 'hello', { id: 'mail-1' });
      await step('after', async () => {
        tries += 1;
        begun.open();
        if (tries === 1) await new Promise(() => {});
      });
      return id;
    });
    const here = place();
    const first = await here.open();
    await first.start(outer, {}, { id: 'r' });
    await begun.opened;
    await first.close();
    const engine = await here.open({ graphs: [outer, inner] });
    await engine.recover();
    expect(await engine.get(outer, 'r').result()).toBe('mail-1');
    expect(await engine.runs({ graph: 'inner' }).toArray()).toHaveLength(1);
  });

  test('leaves the run alone when its starter is cancelled or fails', async () => {
    const inner = workflow('inner', { input: none, receives }, async (_, { receive }) => receive('go'));
    const outer = graph('outer', { state: { ids: list<string>() }, receives })
      .node('a', async ({ start, receive }) => {
        const id = await start('mail', inner, {});
        await receive('go');
        return { ids: id };
      })
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const engine = await place().open();
    const run = await engine.start(outer, {});
    await run.outcome();
    await run.cancel('enough');
    const [started] = await engine.runs({ graph: 'inner' }).toArray();
    expect(started).toMatchObject({ status: 'waiting' });
  });
});

test('an input that the run refuses is an error of the call', async () => {
  const inner = workflow('inner', { input: z.string() }, async (word) => word);
  const outer = workflow('outer', { input: none }, async (_, { start }) => {
    try {
      return await start('mail', inner, 5 as never);
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
  const engine = await memoryPlace().open();
  expect(await engine.start(outer, {}).result()).toBe('HOLDFAST_INVALID_VALUE');
  const odd = workflow('odd', { input: none }, async (_, { start }) => start('mail', inner, 'x', { id: 'no id' }));
  await expect(engine.start(odd, {}).result()).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
  expect(await all(engine.runs({ graph: 'inner' }))).toEqual([]);
});
