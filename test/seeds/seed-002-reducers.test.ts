import { type Channel, channel, counter, graph, list, map, messages, newest } from 'holdfast';
import { expect, test } from 'vitest';
import { describeSeed } from './every-store.ts';

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

describeSeed('002', ({ fresh }) => {
  test.each(cases)('reducers: $name', async (one) => {
    const engine = await fresh();
    const run = await engine.start(writing(one), {});
    expect((await run.result()).value).toEqual(one.value);
    expect((await run.state()).state.value).toEqual(one.value);
  });
});
