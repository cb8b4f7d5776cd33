// The mistakes that people make most often, and the exact text that TypeScript prints for each: mistakes.txt. The sentence that
// helps has to be in the first line. `npx vitest run test/types -u` writes the file anew; read what changed.
import { resolve } from 'node:path';
import { graph, list, openEngine, type StateOf } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { complaintsAbout } from './virtual-program.ts';

const head = `import { again, goto, graph, list, workflow } from 'holdfast';
import type { StateOf } from 'holdfast';
import { z } from 'zod';
`;
/** What every mistake may use. */
const setting = `import { graph, list, openEngine } from 'holdfast';
import { z } from 'zod';
export const base = graph('refunds', {
  state: { cents: z.number(), log: list<string>() },
  asks: { approval: z.boolean() },
  receives: { paid: z.object({ reference: z.string() }) },
});
export const refunds = base.node('pay', () => ({ log: 'paid' })).edge('start', 'pay').edge('pay', 'end').compile();
export const engine = await openEngine('memory:');
export const run = await engine.start(refunds, { cents: 5 });
`;

/** A line of code, and what the first line of the error has to say. */
const mistakes: Readonly<Record<string, readonly [code: string, says: string]>> = {
  'a graph without .compile()': [`await engine.start(base, { cents: 5 });`, 'Call .compile() on the graph first.'],
  'a child without .compile()': [
    `base.node('a', async ({ child }) => { await child('b', base, { cents: 5 }); });`,
    'Call .compile() on the graph first.',
  ],
  'goto without `to`': [`base.node('a', () => goto('pay'));`, `goto('pay') needs { to: ['pay'] }`],
  'goto to another node than `to` says': [
    `base.node('a', () => goto('pay'), { to: ['end'] });`,
    `goto('pay') needs { to: ['pay'] }`,
  ],
  'a stray key in an update': [`base.node('a', () => ({ cents: 5, price: 5 }));`, 'there is no channel price'],
  'a misspelt channel': [`base.node('a', async () => ({ cnets: 5 }));`, 'there is no channel cnets'],
  'an update of the wrong type': [`base.node('a', () => ({ cents: '5' }));`, 'channel cents does not accept this type'],
  'the same in an async body': [
    `base.node('a', async ({ step }) => ({ cents: await step('b', () => '5') }));`,
    'channel cents does not accept this type',
  ],
  'an edge to a node that does not exist': [`base.node('a', () => {}).edge('start', 'b');`, `'"b"' is not assignable`],
  'a route to a target that is not listed': [
    `base.node('a', () => {}).route('a', ['a', 'end'], () => 'b');`,
    `'"b"' is not assignable`,
  ],
  'a missing input': [`await engine.start(refunds, {});`, `'{}' is not assignable`],
  'an input of the wrong type': [`await engine.start(refunds, { cents: '5' });`, `'string' is not assignable`],
  'a wrong answer': [`await run.answer('approval', 'yes');`, `to parameter of type 'boolean'`],
  'a question that is not declared': [
    `base.node('a', async ({ ask }) => { await ask('approve'); });`,
    `to parameter of type '"approval"'`,
  ],
  'a message that is not declared': [`await run.send('payed', { reference: '7' });`, `to parameter of type '"paid"'`],
  'an answer that may not come': [
    `base.node('a', async ({ receive }) => ({ log: (await receive('paid', { timeout: '1d' })).reference }));`,
    `possibly 'undefined'`,
  ],
  'a forgotten await': [
    `base.node('a', async ({ ask }) => { if (ask('approval')) return { cents: 0 }; return {}; });`,
    `this 'Promise<boolean>' is always defined`,
  ],
  'a changed state': [`base.node('a', ({ state }) => { state.cents = 5; });`, 'read-only'],
  'a Response from a step': [
    `workflow('w', { input: z.string() }, async (url, { step }) => { await step('page', () => fetch(url)); });`,
    'a function cannot be stored: return plain data',
  ],
  'a function from a step': [
    `workflow('w', { input: z.string() }, async (_, { step }) => { await step('a', () => ({ act: () => 1 })); });`,
    'a function cannot be stored: return plain data',
  ],
  'StateOf of something else than a graph': [
    `const channels = { cents: z.number() }; export const state: StateOf<typeof channels> = { cents: 5 };`,
    'This is not a graph',
  ],
  'a missing import': [`await openEngine('memory:');`, `Cannot find name 'openEngine'`],
  'a schema that is not called': [`graph('a', { state: { name: z.string } });`, 'not assignable'],
  'a duration without a unit': [`base.node('a', () => {}, { timeout: '10' });`, `to type 'Duration | undefined'`],
};

/** Those of tsconfig.base.json. */
const libraries = ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'];
const fileOf = (index: number) => resolve(`test/types/mistake-${index}.ts`);

/** What TypeScript prints for each mistake. */
function printed(): ReadonlyMap<string, string> {
  const files = new Map([[resolve('test/types/mistake-setting.ts'), setting]]);
  for (const [index, [code]] of Object.values(mistakes).entries()) {
    files.set(fileOf(index), `${head}import { base, engine, refunds, run } from './mistake-setting.ts';\n${code}\n`);
  }
  // The DOM library has an `open` of its own.
  const said = complaintsAbout(files, { lib: [...libraries, 'lib.dom.d.ts'] });
  expect(said.get(resolve('test/types/mistake-setting.ts'))).toBe('');
  return new Map(Object.keys(mistakes).map((name, index) => [name, said.get(fileOf(index)) ?? '']));
}

describe('what TypeScript says', () => {
  const all = printed();

  test.each(Object.entries(mistakes))('about %s', (name, [, says]) => {
    expect(all.get(name)?.split('\n')[0]).toContain(says);
  });

  test('is in mistakes.txt, word for word', async () => {
    const text = [...all].map(([name, error]) => `# ${name}\n${mistakes[name]?.[0]}\n\n${error}\n`).join('\n');
    await expect(text).toMatchFileSnapshot('mistakes.txt');
  });
});

describe('a list that is given all of its items again', () => {
  test('is refused with what to do', async () => {
    const items = list<{ readonly n: number }>();
    const twice = graph('twice', { state: { items, name: z.string() } })
      .node('add', ({ state }) => ({ items: [...state.items, { n: 3 }] }))
      .edge('start', 'add')
      .edge('add', 'end')
      .compile();
    await using engine = await openEngine('memory:');
    const run = await engine.start(twice, { name: 'a', items: [{ n: 1 }, { n: 2 }] });
    await expect(run.result()).rejects.toThrow('list() appends, so return only the new items, or replace(…)');
  });
});

test('StateOf of a builder is the state of its graph', () => {
  const base = graph('a', { state: { cents: z.number() } });
  const half = (state: StateOf<typeof base>): number => state.cents / 2;
  expect(half({ cents: 4 })).toBe(2);
});
