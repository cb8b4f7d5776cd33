import {
  type Channel,
  channel,
  counter,
  type Engine,
  graph,
  HoldfastError,
  list,
  map,
  messages,
  newest,
} from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { all, clockThatTells, describeDocument, openForTest } from './every-store.ts';

interface Case {
  readonly name: string;
  readonly into: Channel<unknown, unknown>;
  /** One super-step each. */
  readonly writes: readonly unknown[];
  readonly value: unknown;
}

const longest = channel<string>({ default: () => '', reduce: (a, b) => (b.length > a.length ? b : a) });

const cases: readonly Case[] = [
  { name: 'last write wins', into: channel<string>(), writes: ['a', 'b'], value: 'b' },
  {
    name: 'append list: of null nothing, of a scalar one item',
    into: list<number>(),
    writes: [[1], null, 2, [3, 4]],
    value: [1, 2, 3, 4],
  },
  {
    name: 'append messages: the same id replaces, in place',
    into: messages<{ id?: string; text: string }>(),
    writes: [
      [{ id: 'a', text: 'one' }, { text: 'nameless' }],
      { id: 'b', text: 'two' },
      { id: 'a', text: 'mended' },
      { text: 'nameless' },
    ],
    value: [{ id: 'a', text: 'mended' }, { text: 'nameless' }, { id: 'b', text: 'two' }, { text: 'nameless' }],
  },
  {
    name: 'merge map: shallow',
    into: map<unknown>(),
    writes: [
      { a: 1, deep: { x: 1 } },
      { b: 2, deep: { y: 2 } },
    ],
    value: { a: 1, b: 2, deep: { y: 2 } },
  },
  {
    name: 'max by timestamp: an older one changes nothing',
    into: newest<{ at: number; from: string }>(),
    writes: [
      { at: 5, from: 'first' },
      { at: 4, from: 'late' },
    ],
    value: { at: 5, from: 'first' },
  },
  {
    name: 'max by timestamp: of two at once, the incoming one',
    into: newest<{ at: number; from: string }>(),
    writes: [
      { at: 5, from: 'first' },
      { at: 5, from: 'second' },
    ],
    value: { at: 5, from: 'second' },
  },
  { name: 'an own reducer', into: longest, writes: ['abc', 'ab', 'abcd', 'x'], value: 'abcd' },
  { name: 'a counter', into: counter(10), writes: [1, -3, 0.5], value: 8.5 },
];

/** Writes one value a super-step into the channel. */
function writing({ into, writes }: Case) {
  let written = 0;
  return graph('writing', { state: { value: into } })
    .node('write', () => ({ value: writes[written++] }))
    .edge('start', 'write')
    .route('write', ['write', 'end'], () => (written < writes.length ? 'write' : 'end'))
    .compile();
}

describeDocument('002', ({ fresh }) => {
  test.each(cases)('reducers: $name', async (one) => {
    const engine = await fresh();
    const run = await engine.start(writing(one), {});
    expect((await run.result()).value).toEqual(one.value);
    expect((await run.state()).value).toEqual(one.value);
  });
});

const clock = clockThatTells(() => 5_000);

/** One of everything that is about checkpoints and journals. */
const calls: readonly ((engine: Engine) => Promise<unknown>)[] = [
  ({ journal }) => journal.append('main', { id: 'mail', source: 'input', labels: ['x'], payload: [1n, new Date(7)] }),
  ({ journal }) => journal.append('main', { id: 'mail', payload: 'other' }),
  ...[1, 2, 3, 4].map(
    (n) =>
      ({ checkpoints }: Engine) =>
        checkpoints.save('main', { superstep: 9 - n, state: { n } }),
  ),
  ({ checkpoints }) => checkpoints.save('main', { covers: 2, state: { n: 'narrow' }, status: 'completed' }),
  ({ checkpoints }) => checkpoints.save('main', { covers: 99, state: {} }),
  ({ checkpoints }) => checkpoints.fork('main@3', { id: 'twig', set: { n: 'edited' } }),
  ({ checkpoints }) => checkpoints.fork('main@3', { id: 'twig' }),
  ({ checkpoints }) => checkpoints.latest('main'),
  ({ checkpoints }) => checkpoints.latest('twig'),
  ({ checkpoints }) => checkpoints.atOrBefore('main@2'),
  ({ checkpoints }) => checkpoints.atSuperstep('main', 6),
  ({ checkpoints }) => all(checkpoints.list('twig')),
  ({ journal }) => journal.tail('twig', 3),
  ({ journal }) => all(journal.read('main', { label: 'x' })),
  async ({ checkpoints }) => {
    const { bytes, ...pruned } = await checkpoints.prune('main', { keep: 1, keepLatestTerminal: true });
    return [bytes > 0, pruned];
  },
  ({ checkpoints }) => all(checkpoints.list('main')),
  ({ checkpoints }) => checkpoints.load('twig@3'),
  ({ checkpoints }) => checkpoints.delete('main'),
  ({ checkpoints }) => checkpoints.latest('main'),
  ({ checkpoints }) => checkpoints.latest('twig'),
];

/** What a store answers; a refusal is an answer too. */
async function answersOf(engine: Engine): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const call of calls) {
    const answer = call(engine).catch((error: unknown) => {
      if (HoldfastError.is(error)) return [error.code, error.details];
      throw error;
    });
    answers.push(await answer);
  }
  return answers;
}

describeDocument('002', ({ fresh, store }) => {
  test('every store gives the same answers to the same calls', async () => {
    const answers = await answersOf(await fresh({ clock }));
    expect(answers).toEqual(await answersOf(await openForTest(memoryStore(), { clock })));
    expect(answers.at(-1)).toMatchObject({ id: 'twig@4', state: { n: 'edited' } });
  });

  test('every store has everything again when it is opened again', async () => {
    const place = store();
    const before = await openForTest(place, { clock });
    const cursor = await before.journal.append('main', { payload: 'kept' });
    await before.checkpoints.save('main', { state: { n: 1 } });
    const all = [await before.journal.tail('main', 9), await before.checkpoints.latest('main')];
    await before.close();
    const after = await openForTest(place, { clock });
    expect([await after.journal.tail('main', 9), await after.checkpoints.latest('main')]).toEqual(all);
    expect(await after.checkpoints.latest('main')).toMatchObject({ covers: 1, state: { n: 1 } });
    expect(cursor).toBe('main@1');
  });
});
