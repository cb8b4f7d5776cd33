// Every line here is a mistake that the builder's types have to find: tsc fails on one that they let through.
// The formatter must leave each on one line, below the comment that expects its error.
import { channel, goto, graph, list, messages, workflow } from 'holdfast';
import { z } from 'zod';

const yes = { show: z.object({ text: z.string() }), answer: z.object({ ok: z.boolean() }) };
const inner = graph('inner', { state: { topic: z.string() } })
  .node('n', () => {})
  .edge('start', 'n')
  .edge('n', 'end')
  .compile();

// biome-ignore format: one line
// @ts-expect-error unknown node
graph('x', { state: { a: z.string() } }).node('n', () => {}).edge('start', 'nope');
// biome-ignore format: one line
// @ts-expect-error wrong update type
graph('x', { state: { a: z.string() } }).node('n', () => ({ a: 1 }));
// biome-ignore format: one line
// @ts-expect-error unknown channel beside a known one
graph('x', { state: { a: z.string() } }).node('n', () => ({ a: 'x', b: 1 }));
// biome-ignore format: one line
// @ts-expect-error not a channel and not a schema
graph('x', { state: { a: z.string } });
// biome-ignore format: one line
// @ts-expect-error route to an undeclared target
graph('x', { state: { a: z.string() } }).node('n', () => {}).route('n', ['n', 'end'], () => 'zzz');
// biome-ignore format: one line
// @ts-expect-error goto an undeclared target
graph('x', { state: { a: z.string() } }).node('n', () => goto('zzz'), { to: ['n', 'end'] });
// biome-ignore format: one line
// @ts-expect-error catch goes to an undeclared target
graph('x', { state: { a: z.string() } }).node('n', () => {}, { to: ['end'], catch: () => goto('zzz') });
// biome-ignore format: one line
// @ts-expect-error state is read-only
graph('x', { state: { a: z.string() } }).node('n', ({ state }) => { state.a = 'b'; });
// biome-ignore format: one line
// @ts-expect-error all the way down
graph('x', { state: { a: z.object({ b: z.array(z.string()) }) } }).node('n', ({ state }) => { state.a.b[0] = 'c'; });
// biome-ignore format: one line
// @ts-expect-error in a list as well
graph('x', { state: { a: list<{ b: { c: number } }>() } }).node('n', ({ state }) => { for (const { b } of state.a) b.c = 1; });
// biome-ignore format: one line
// @ts-expect-error a Map of a state does not change
graph('x', { state: { a: channel<Map<string, number>>() } }).node('n', ({ state }) => { state.a satisfies Map<string, number> | undefined; });
// biome-ignore format: one line
// @ts-expect-error the id of a message is a string
graph('x', { state: { a: messages<{ id: number }>() } });
// biome-ignore format: one line
// @ts-expect-error two nodes lead to one that is none
graph('x', { state: {} }).node('n', () => {}).node('m', () => {}).edge(['n', 'm'], 'nope');
// biome-ignore format: one line
// @ts-expect-error an edge from the end
graph('x', { state: {} }).node('n', () => {}).edge('end', 'n');
// biome-ignore format: one line
// @ts-expect-error an edge to the start
graph('x', { state: {} }).node('n', () => {}).edge('n', 'start');
// biome-ignore format: one line
// @ts-expect-error a join with the start
graph('x', { state: {} }).node('n', () => {}).edge(['start', 'n'], 'n');
// biome-ignore format: one line
// @ts-expect-error a route from a node that is none
graph('x', { state: {} }).node('n', () => {}).route('nope', ['n'], () => 'n');
// biome-ignore format: one line
// @ts-expect-error a route to a node that is none
graph('x', { state: {} }).node('n', () => {}).route('n', ['nope'], () => 'nope');
// biome-ignore format: one line
// @ts-expect-error goto without `to`
graph('x', { state: { a: z.string() } }).node('n', () => goto('n'));
// biome-ignore format: one line
// @ts-expect-error goto with an unknown channel
graph('x', { state: { a: z.string() } }).node('n', () => goto('end', { a: 'x', b: 1 }), { to: ['end'] });
// biome-ignore format: one line
// @ts-expect-error goto with a wrong update
graph('x', { state: { a: z.string() } }).node('n', () => goto('end', { a: 1 }), { to: ['end'] });
// biome-ignore format: one line
// @ts-expect-error catch gives a wrong update
graph('x', { state: { a: z.string() } }).node('n', () => {}, { catch: () => ({ a: 1 }) });
// biome-ignore format: one line
// @ts-expect-error an unknown channel out of each
graph('x', { state: { a: z.string() } }).each('n', () => [1], () => ({ a: 'x', b: 1 }));
// biome-ignore format: one line
// @ts-expect-error the item is a number
graph('x', { state: { a: z.string() } }).each('n', () => [1], (item) => ({ a: item }));
// biome-ignore format: one line
// @ts-expect-error a question that was not declared
graph('x', { state: {} }).node('n', async ({ ask }) => { await ask('nope', {}); });
// biome-ignore format: one line
// @ts-expect-error shows something else than the question does
graph('x', { state: {}, asks: { ok: yes } }).node('n', async ({ ask }) => { await ask('ok', { text: 1 }); });
// biome-ignore format: one line
// @ts-expect-error the answer may not come in time
graph('x', { state: {}, asks: { ok: yes } }).node('n', async ({ ask }) => { (await ask('ok', { text: '' }, { timeout: '1s' })).ok; });
// biome-ignore format: one line
// @ts-expect-error a message that was not declared
graph('x', { state: {} }).node('n', async ({ receive }) => { await receive('nope'); });
// biome-ignore format: one line
// @ts-expect-error emits something else than declared
graph('x', { state: {}, emits: z.string() }).node('n', ({ emit }) => emit(1));
// biome-ignore format: one line
// @ts-expect-error a step emits something else than declared
graph('x', { state: {}, emits: z.string() }).node('n', async ({ step }) => { await step('s', ({ emit }) => emit(1)); });
// biome-ignore format: one line
// @ts-expect-error a duration without a unit
graph('x', { state: {} }).node('n', () => {}, { timeout: '10' });
// biome-ignore format: one line
// @ts-expect-error retries without attempts
graph('x', { state: {} }).node('n', () => {}, { retry: {} });
// biome-ignore format: one line
// @ts-expect-error a builder is no graph
graph('x', { state: {} }).graph('n', graph('y', { state: {} }), { in: () => ({}), out: () => ({}) });
// biome-ignore format: one line
// @ts-expect-error wrong input of an inner graph
graph('x', { state: {} }).graph('n', inner, { in: () => ({ topic: 1 }), out: () => ({}) });
// biome-ignore format: one line
// @ts-expect-error wrong update out of an inner graph
graph('x', { state: { a: z.number() } }).graph('n', inner, { in: () => ({ topic: '' }), out: ({ topic }) => ({ a: topic }) });
// biome-ignore format: one line
// @ts-expect-error wrong input of a child
graph('x', { state: {} }).node('n', async ({ child }) => { await child('c', inner, { topic: 1 }); });
// biome-ignore format: one line
// @ts-expect-error a workflow has no state
workflow('w', { input: z.string() }, async (_input, { state }) => state);
// biome-ignore format: one line
// @ts-expect-error a workflow without an input
workflow('w', {}, async () => 1);
// biome-ignore format: one line
// @ts-expect-error the input is a text
workflow('w', { input: z.string() }, async (input) => input.nope);
// biome-ignore format: one line
// @ts-expect-error a question needs both schemas
graph('x', { state: {}, asks: { ok: { show: z.string() } } });
// biome-ignore format: one line
// @ts-expect-error a Response cannot be stored
workflow('w', { input: z.string() }, async (url, { step }) => { await step('page', () => fetch(url)); });
// biome-ignore format: one line
// @ts-expect-error nor a function inside a result
workflow('w', { input: z.string() }, async (_, { step }) => { await step('x', () => ({ f: () => 1 })); });
