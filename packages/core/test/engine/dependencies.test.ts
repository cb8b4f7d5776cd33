// What bodies work with, and what runs result in.
import { channel, graph, list, map, messages, type OutputOf, workflow } from 'holdfast';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const real = async (prompt: string): Promise<string> => `real ${prompt}`;
const fake = async (prompt: string): Promise<string> => `fake ${prompt}`;

const chat = graph('chat', {
  state: { question: z.string(), reply: channel<string>() },
  deps: { llm: real, model: 'large' },
  output: (state) => state.reply,
})
  .node('answer', async ({ state, step, deps }) => ({
    reply: await step('llm', () => deps.llm(`${deps.model} ${state.question}`)),
  }))
  .edge('start', 'answer')
  .edge('answer', 'end')
  .compile();

describeEverywhere('deps', (place) => {
  test('are in the context, and can be replaced in tests', async () => {
    const engine = await place().open();
    expect(await engine.start(chat, { question: 'a' }).result()).toBe('real large a');
    expect(await engine.start(chat.with({ llm: fake }), { question: 'a' }).result()).toBe('fake large a');
    expect(chat.with({ llm: fake }).fingerprint).toBe(chat.fingerprint);
    const greet = workflow('greet', { input: z.string(), deps: { llm: real } }, async (name, { deps, step }) =>
      step('llm', () => deps.llm(name)),
    );
    expect(await engine.start(greet.with({ llm: fake }), 'Ada').result()).toBe('fake Ada');
  });

  test('are not in the journal', async () => {
    const engine = await place().open();
    const run = await engine.start(chat.with({ model: 'OPENSESAME' }), { question: 'a' });
    await run.result();
    const records = await engine.journal.tail(run.id, 99);
    expect(JSON.stringify(records.filter(({ kind }) => kind === 'run-start'))).not.toContain('OPENSESAME');
  });

  test('must be known', () => {
    expect(() => chat.with({ lmm: fake } as never)).toThrow(/no dependency "lmm". It has llm, model/);
    expect(() => chat.with(null as never)).toThrow(/takes an object/);
    const bare = workflow('bare', { input: z.string() }, async (name) => name);
    expect(() => bare.with({ a: 1 } as never)).toThrow(/It has none/);
    expect(() => workflow('odd', { input: z.string(), deps: 5 as never }, async () => 1)).toThrow(/"deps" must be/);
  });
});

/** A graph that ends with this output. */
function ending<T>(name: string, output: () => T) {
  return graph(name, { state: { log: list<string>() }, output })
    .node('a', () => ({ log: 'a' }))
    .edge('start', 'a')
    .edge('a', 'end')
    .compile();
}

describeEverywhere('output', (place) => {
  test('of a graph is what it makes of its state', async () => {
    const here = place();
    const engine = await here.open();
    const run = await engine.start(chat, { question: 'a' }, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ output: 'real large a', state: { question: 'a' } });
    expectTypeOf<OutputOf<typeof chat>>().toEqualTypeOf<string | undefined>();
    const outer = workflow('outer', { input: z.string() }, async (question, { child }) =>
      child('chat', chat, { question }),
    );
    expect(await engine.start(outer, 'b').result()).toBe('real large b');
    await engine.close();
    const reader = await here.open({ executes: false });
    expect(await (await reader.get('r')).result()).toBe('real large a');
  });

  test('of a graph that throws or cannot be stored fails the run', async () => {
    const engine = await place().open();
    const thrown = ending('thrown', () => {
      throw new Error('no');
    });
    expect(await engine.start(thrown, {}).outcome()).toMatchObject({ status: 'failed' });
    const unstorable = ending('unstorable', () => () => 1);
    expect(await engine.start(unstorable, {}).outcome()).toMatchObject({ status: 'failed' });
    const nothing = await engine.start(
      ending('nothing', () => undefined),
      {},
    );
    expect(await nothing.result()).toBeUndefined();
  });

  test('of a workflow is checked by its schema', async () => {
    const count = workflow('count', { input: z.unknown(), output: z.string().transform(Number) }, async (input) =>
      String(input),
    );
    expectTypeOf<OutputOf<typeof count>>().toEqualTypeOf<number>();
    const engine = await place().open();
    expect(await engine.start(count, 5).result()).toBe(5);
    const odd = workflow('odd', { input: z.unknown(), output: z.number() }, async () => 'five' as never);
    await expect(engine.start(odd, 5).result()).rejects.toThrow(/output of "odd" is invalid/);
  });

  test('of a workflow is inferred as a constant', async () => {
    const flow = workflow('flow', { input: z.boolean() }, async (isPaid) =>
      isPaid ? { status: 'paid' } : { status: 'open', items: [1] },
    );
    expectTypeOf<OutputOf<typeof flow>['status']>().toEqualTypeOf<'paid' | 'open'>();
    const outer = workflow('outer', { input: z.boolean() }, async (isPaid, { child }) => child('flow', flow, isPaid));
    const engine = await place().open();
    expect(await engine.start(outer, false).result()).toEqual({ status: 'open', items: [1] });
    const numbers = workflow('numbers', { input: z.boolean() }, async () => [1, 2]);
    const around = workflow('around', { input: z.boolean() }, async (input, { child }) => child('n', numbers, input));
    expect(await engine.start(around, true).result()).toEqual([1, 2]);
  });

  test('must be a function or a schema', () => {
    expect(() => workflow('odd', { input: z.string(), output: 5 as never }, async () => 1)).toThrow(/"output" must be/);
    const odd = graph('odd', { state: { log: list<string>() }, output: 5 as never })
      .node('a', () => ({ log: 'a' }))
      .edge('start', 'a')
      .edge('a', 'end');
    expect(() => odd.compile()).toThrow(/"output" must be a function of the state/);
  });
});

describeEverywhere('channels with schemas', (place) => {
  test('check every message and every value', async () => {
    const flow = graph('flow', {
      state: { said: messages(z.object({ id: z.string(), text: z.string().trim() })), seen: map(z.number()) },
    })
      .node('a', () => ({ said: { id: 'a', text: ' again ' }, seen: { x: undefined, y: 2 } }))
      .edge('start', 'a')
      .edge('a', 'end')
      .compile();
    const engine = await place().open();
    const input = { said: [{ id: 'a', text: ' one ' }], seen: { x: 1 } };
    expect(await engine.start(flow, input).result()).toEqual({ said: [{ id: 'a', text: 'again' }], seen: { y: 2 } });
    const odd = { said: [{ id: 'a', text: 5 as never }], seen: { x: 'no' as never } };
    await expect(engine.start(flow, odd)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_VALUE' });
  });
});
