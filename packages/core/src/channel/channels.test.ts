import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { channel } from './channel.ts';
import type { Channels, InputOf, StateOf, UpdateOf } from './channels.ts';
import { counter } from './counter.ts';
import type { Channel } from './definition.ts';
import { list } from './list.ts';
import { map } from './map.ts';
import { messages } from './messages.ts';
import { newest } from './newest.ts';
import { type Replace, replace } from './replace.ts';

interface Message {
  readonly id?: string;
  readonly text: string;
}
interface Price {
  readonly at: number;
  readonly cents: number;
}
const state = {
  z: z.object({ n: z.number().default(1) }),
  v: v.string(),
  t: type('string[]'),
  optional: z.string().optional(),
  withDefault: z.array(z.string()).default([]),
  plain: channel<boolean>(),
  own: channel<number, string>({ default: () => 0, reduce: (sum, text) => sum + text.length }),
  log: list<string>(),
  items: list(z.object({ n: z.number().default(1) })),
  rows: list<readonly number[]>(),
  chat: messages<Message>(),
  tags: map<number>(),
  price: newest<Price>(),
  count: counter(),
} satisfies Channels;
type State = StateOf<typeof state>;
type Update = UpdateOf<typeof state>;
type Input = InputOf<typeof state>;

describe('StateOf', () => {
  test('is what a node sees, read-only all the way down', () => {
    expectTypeOf<State['z']>().toEqualTypeOf<{ readonly n: number }>();
    expectTypeOf<State['v']>().toEqualTypeOf<string>();
    expectTypeOf<State['t']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<State['optional']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<State['withDefault']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<State['plain']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<State['own']>().toEqualTypeOf<number>();
    expectTypeOf<State['log']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<State['items']>().toEqualTypeOf<readonly { readonly n: number }[]>();
    expectTypeOf<State['rows']>().toEqualTypeOf<readonly (readonly number[])[]>();
    expectTypeOf<State['chat']>().toEqualTypeOf<readonly Message[]>();
    expectTypeOf<State['tags']>().toEqualTypeOf<Readonly<Record<string, number>>>();
    expectTypeOf<State['price']>().toEqualTypeOf<Price | undefined>();
    expectTypeOf<State['count']>().toEqualTypeOf<number>();
  });

  test('cannot be assigned to', () => {
    expectTypeOf<State>().toEqualTypeOf<Readonly<State>>();
  });
});

describe('UpdateOf', () => {
  test('is what may be written', () => {
    expectTypeOf<Update['z']>().toEqualTypeOf<{ readonly n?: number | undefined } | undefined>();
    expectTypeOf<Update['withDefault']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Update['own']>().toEqualTypeOf<string | Replace<number> | undefined>();
    expectTypeOf<Update['log']>().toEqualTypeOf<
      string | readonly string[] | null | Replace<readonly string[]> | undefined
    >();
    expectTypeOf<Update['rows']>().toEqualTypeOf<
      readonly (readonly number[])[] | null | Replace<readonly (readonly number[])[]> | undefined
    >();
    expectTypeOf<Update['chat']>().toEqualTypeOf<
      Message | readonly Message[] | null | Replace<readonly Message[]> | undefined
    >();
    expectTypeOf<Update['count']>().toEqualTypeOf<number | Replace<number> | undefined>();
  });

  test('accepts what was read, and replaced values of the channel', () => {
    const seen = {} as State;
    const update = {
      log: replace(seen.log),
      chat: replace(seen.chat),
      own: replace(5),
      plain: undefined,
      t: seen.t,
      tags: { gone: undefined, there: 1 },
    };
    expectTypeOf(update).toExtend<Update>();
    expectTypeOf<Pick<State, 'z' | 'v' | 't' | 'log' | 'chat' | 'tags'>>().toExtend<Update>();
  });

  test('accepts nothing else', () => {
    const check = vi.fn<(update: Update) => void>();
    // @ts-expect-error another type
    check({ v: 5 });
    // @ts-expect-error one item looks like several
    check({ rows: 5 });
    // @ts-expect-error replaced by something else
    check({ log: replace(5) });
    // @ts-expect-error no channel with this name
    check({ other: 5 });
    // @ts-expect-error a bare schema is always validated
    check({ v: replace('x') });
    expect(check).toHaveBeenCalledTimes(5);
  });
});

describe('InputOf', () => {
  test('requires what a schema requires', () => {
    expectTypeOf<Input>().toExtend<{
      readonly v: string;
      readonly t: readonly string[];
      readonly z: { n?: number | undefined };
    }>();
    const check = vi.fn<(input: Input) => void>();
    check({ v: 'x', t: [], z: {} });
    check({ v: 'x', t: [], z: {}, withDefault: ['a'], log: 'x', optional: 'x' });
    // @ts-expect-error v is missing
    check({ t: [], z: {} });
    // @ts-expect-error undefined is not a value
    check({ v: undefined, t: [], z: {} });
    expect(check).toHaveBeenCalledTimes(4);
  });
});

describe('Channels', () => {
  test('are channels and schemas only', () => {
    expectTypeOf<{ a: Channel<number> }>().toExtend<Channels>();
    expectTypeOf<{ a: typeof z.string }>().not.toExtend<Channels>();
    expectTypeOf<{ a: number }>().not.toExtend<Channels>();
    // @ts-expect-error messages are objects
    messages<string>();
    // @ts-expect-error a value needs its time
    newest<{ n: number }>();
    // @ts-expect-error a custom reducer needs a default
    expect(() => channel<number>({ reduce: (previous: number) => previous })).toThrow('default');
  });
});
