import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readCell } from '../../delta/cell.ts';
import { decodeValue, encodeOwn } from '../../value/codec/codec.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { channel } from '../channel.ts';
import { channelSet } from '../channel-set.ts';
import { list } from '../list.ts';
import { map } from '../map.ts';
import { replace } from '../replace.ts';
import { applyUpdates } from './apply-updates.ts';
import { type PreparedUpdate, parseUpdate, prepareInput, prepareUpdate, prepareValues } from './prepare-update.ts';

/** A hand-written schema. */
function schemaOf<T>(
  validate: (value: unknown) => StandardSchemaV1.Result<T> | Promise<StandardSchemaV1.Result<T>>,
): StandardSchemaV1<T> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}
const slow = schemaOf(async (value) =>
  typeof value === 'number' ? { value } : { issues: [{ message: 'no number' }] },
);
const failure = async (action: () => unknown): Promise<unknown> => {
  try {
    return await action();
  } catch (error) {
    return error;
  }
};

describe('prepareUpdate()', () => {
  const channels = channelSet({ a: channel<unknown>(), l: list<unknown>() });

  test('is synchronous if the schemas are', () => {
    expect(prepareUpdate(channels, { a: 1, l: 'x' })).toEqual({ a: ['write', 1], l: ['write', ['x']] });
    expect(prepareUpdate(channels, { a: replace(1) })).toEqual({ a: ['replace', 1] });
  });

  test('writes nothing for undefined', () => {
    expect(prepareUpdate(channels, { a: undefined })).toEqual({});
    expect(prepareUpdate(channels, undefined)).toEqual({});
  });

  test.each([['constructor'], ['__proto__'], ['toString'], ['other']])('refuses the channel %s', (name) => {
    const update = Object.defineProperty({}, name, { value: undefined, enumerable: true });
    expect(() => prepareUpdate(channels, update)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_UNKNOWN_CHANNEL',
        details: { channel: name, known: ['a', 'l'] },
        message: `No channel is named "${name}". The state has a, l.`,
      }),
    );
  });

  test('says so when there are no channels at all', () => {
    expect(() => prepareUpdate(channelSet({}), { a: 1 })).toThrow('The state has no channels.');
  });

  test.each([[null], [5], ['text'], [[1]]])('refuses %j as an update', (update) => {
    expect(() => prepareUpdate(channels, update)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }));
  });

  test('copies only what is new', () => {
    const old = frozenCopy({ large: [1, 2, 3] });
    const update = prepareUpdate(channels, { a: { old } }) as PreparedUpdate;
    expect(update['a']).toEqual(['write', { old }]);
    expect(Object.values(update['a']?.[1] as object)[0]).toBe(old);
  });
});

describe('a bare schema as a channel', () => {
  test.each<[string, StandardSchemaV1]>([
    ['zod', z.object({ n: z.number() })],
    ['valibot', v.object({ n: v.number() })],
    ['arktype', type({ n: 'number' })],
  ])('%s: accepts what the schema accepts, and refuses the rest with the path', (_name, schema) => {
    const channels = channelSet({ x: schema });
    expect(prepareUpdate(channels, { x: { n: 1 } })).toEqual({ x: ['write', { n: 1 }] });
    expect(() => prepareUpdate(channels, { x: { n: 'one' } })).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_VALUE',
        details: { channel: 'x', path: '/n', issues: [{ channel: 'x', path: '/n', message: expect.any(String) }] },
      }),
    );
  });

  test('keeps the output of the schema', () => {
    const channels = channelSet({ x: z.string().trim() });
    expect(prepareUpdate(channels, { x: ' a ' })).toEqual({ x: ['write', 'a'] });
    expect(prepareUpdate(channels, { x: replace(' b ') })).toEqual({ x: ['replace', 'b'] });
  });

  test('prefers the value to an equal copy of it', () => {
    const channels = channelSet({ x: z.object({ items: z.array(z.object({ n: z.number() })) }) });
    const items = frozenCopy([{ n: 1 }]);
    const whole = frozenCopy({ items });
    const value = (update: unknown): { readonly items: unknown } =>
      ((prepareUpdate(channels, update) as PreparedUpdate)['x'] as never)[1];
    expect(value({ x: { items } }).items).toBe(items);
    expect(value({ x: whole })).toBe(whole);
    const getter = {
      get items() {
        return items;
      },
    };
    expect(value({ x: getter })).toEqual({ items });
  });

  test('keeps the output of a schema even if its input cannot be stored', () => {
    const channels = channelSet({ x: z.function().transform(() => 'called') });
    expect(prepareUpdate(channels, { x: () => 1 })).toEqual({ x: ['write', 'called'] });
  });

  test('refuses the output of a schema if it cannot be stored', async () => {
    const unstorable = { code: 'HOLDFAST_UNSERIALIZABLE', details: { channel: 'x', path: '/f' } };
    const given = { value: { f: () => 1 } };
    expect(await failure(() => prepareUpdate(channelSet({ x: schemaOf(() => given) }), { x: 1 }))).toMatchObject(
      unstorable,
    );
    expect(await failure(() => prepareUpdate(channelSet({ x: schemaOf(async () => given) }), { x: 1 }))).toMatchObject(
      unstorable,
    );
  });

  test('escapes the path', () => {
    const issues = [{ message: 'first', path: [{ key: 'a/b' }, 0, '~'] }, { message: 'second' }];
    const channels = channelSet({ x: schemaOf(() => ({ issues })) });
    expect(() => prepareUpdate(channels, { x: 1 })).toThrow(
      expect.objectContaining({
        details: {
          channel: 'x',
          path: '/a~1b/0/~0',
          issues: [
            { channel: 'x', path: '/a~1b/0/~0', message: 'first' },
            { channel: 'x', path: '', message: 'second' },
          ],
        },
      }),
    );
  });

  test('reports a schema that throws', async () => {
    const cause = new Error('broken');
    const broken = schemaOf(() => {
      throw cause;
    });
    const rejecting = schemaOf(() => Promise.reject(new Error('broken')));
    const odd = schemaOf(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- users do
      throw 'text';
    });
    const expected = {
      code: 'HOLDFAST_INVALID_VALUE',
      details: { channel: 'x', path: '', issues: [{ channel: 'x', path: '', message: 'the schema threw broken' }] },
    };
    expect(await failure(() => prepareUpdate(channelSet({ x: broken }), { x: 1 }))).toMatchObject({
      ...expected,
      cause,
    });
    expect(await failure(() => prepareUpdate(channelSet({ x: rejecting }), { x: 1 }))).toMatchObject(expected);
    expect(await failure(() => prepareUpdate(channelSet({ x: odd }), { x: 1 }))).toMatchObject({ cause: 'text' });
  });
});

describe('asynchronous schemas', () => {
  const channels = channelSet({ a: slow, b: slow, l: list(slow), c: z.string() });

  test('are awaited', async () => {
    const prepared = prepareUpdate(channels, { a: 1, l: [1, 2], c: 'x' });
    expect(prepared).toBeInstanceOf(Promise);
    expect(await prepared).toEqual({ a: ['write', 1], l: ['write', [1, 2]], c: ['write', 'x'] });
    expect(await prepareUpdate(channels, { l: 5 })).toEqual({ l: ['write', [5]] });
  });

  test('reject with the first refusal in order', async () => {
    expect(await failure(() => prepareUpdate(channels, { l: [1, 'x', 'y'], a: 'z' }))).toMatchObject({
      code: 'HOLDFAST_INVALID_VALUE',
      details: { channel: 'l', path: '/1' },
    });
  });

  test('leave no rejection behind when another check fails at once', async () => {
    expect(await failure(() => prepareUpdate(channels, { a: 'x', b: 'y', c: 5 }))).toMatchObject({
      details: { channel: 'c' },
    });
  });
});

const refused = (path: string): unknown =>
  expect.objectContaining({ details: expect.objectContaining({ channel: 'l', path }) as unknown });

describe('list(item)', () => {
  const channels = channelSet({ l: list(z.object({ n: z.number().default(0) })), nested: list(z.array(z.number())) });

  test('validates new items, and those of a replaced list', () => {
    expect(prepareUpdate(channels, { l: {} })).toEqual({ l: ['write', [{ n: 0 }]] });
    expect(prepareUpdate(channels, { l: [{}, { n: 1 }] })).toEqual({ l: ['write', [{ n: 0 }, { n: 1 }]] });
    expect(prepareUpdate(channels, { l: replace([{}]) })).toEqual({ l: ['replace', [{ n: 0 }]] });
  });

  test('refuses an item with its location', () => {
    expect(() => prepareUpdate(channels, { l: [{}, { n: 'x' }] })).toThrow(refused('/1/n'));
    expect(() => prepareUpdate(channels, { l: { n: 'x' } })).toThrow(refused('/n'));
  });

  test('accepts only lists of items if an item is a list', () => {
    expect(prepareUpdate(channels, { nested: [[1], [2]] })).toEqual({ nested: ['write', [[1], [2]]] });
    expect(() => prepareUpdate(channels, { nested: [1] })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }),
    );
  });
});

describe('channel({ schema })', () => {
  const positive = z.number().positive();

  test('validates what is written', () => {
    const channels = channelSet({
      x: channel({ default: () => 1, schema: positive }),
    });
    expect(prepareUpdate(channels, { x: 2 })).toEqual({ x: ['write', 2] });
    expect(() => prepareUpdate(channels, { x: -2 })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }),
    );
  });

  test('validates the result of a reducer', () => {
    const schema = positive;
    const channels = channelSet({
      x: channel<number, string>({ default: () => 1, reduce: (sum, text) => sum + Number(text), schema }),
    });
    const apply = (update: unknown): unknown =>
      readCell(applyUpdates(channels, new Map(), [prepareUpdate(channels, update) as PreparedUpdate]).state.get('x'));
    expect(apply({ x: '2' })).toBe(3);
    expect(() => apply({ x: '-2' })).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }));
    expect(() => apply({ x: replace(-2) })).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }));
  });

  test('refuses an asynchronous schema with a reducer', () => {
    const channels = channelSet({
      x: channel<unknown, number>({ default: () => 1, reduce: (_previous, next) => next, schema: slow }),
    });
    expect(() => applyUpdates(channels, new Map(), [prepareUpdate(channels, { x: 2 }) as PreparedUpdate])).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_REDUCER_FAILED' }),
    );
  });
});

describe('prepareInput()', () => {
  const channels = channelSet({
    order: z.string(),
    more: z.array(z.string()).default([]),
    note: z.string().optional(),
    log: list<string>(),
  });

  test('validates missing channels with every schema', () => {
    expect(prepareInput(channels, { order: 'o', log: 'x' })).toMatchObject({
      order: ['write', 'o'],
      more: ['write', []],
      log: ['write', ['x']],
    });
  });

  test('refuses an input without a required channel', () => {
    expect(() => prepareInput(channels, {})).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_VALUE',
        details: expect.objectContaining({ channel: 'order' }) as unknown,
      }),
    );
    expect(() => prepareInput(channels, undefined)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }),
    );
  });

  test('starts a state when applied to an empty one', () => {
    const { state, delta } = applyUpdates(channels, new Map(), [
      prepareInput(channels, { order: 'o' }) as PreparedUpdate,
    ]);
    expect(delta).toEqual({ order: ['=', 'o'], more: ['=', []], log: ['=', []] });
    expect(state.has('note')).toBe(false);
  });
});

describe('prepareValues()', () => {
  const channels = channelSet({ log: list(z.string()), order: z.string() });

  test('accepts values, not updates', () => {
    expect(prepareValues(channels, { log: ['a'], order: 'o' })).toEqual({
      log: ['replace', ['a']],
      order: ['replace', 'o'],
    });
    expect(prepareValues(channels, { log: undefined })).toEqual({});
  });

  test('refuses what the channels refuse', () => {
    expect(() => prepareValues(channels, { log: 'a' })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }),
    );
    expect(() => prepareValues(channels, { order: 5 })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_VALUE' }),
    );
    expect(() => prepareValues(channels, { other: 5 })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNKNOWN_CHANNEL' }),
    );
  });
});

describe('parseUpdate()', () => {
  test('reads what was written', () => {
    const channels = channelSet({ m: map(), l: list(), c: channel() });
    const update = { m: { a: 1, b: undefined }, l: [undefined, 1], c: replace(undefined) };
    const prepared = prepareUpdate(channels, update);
    const read = parseUpdate(decodeValue(encodeOwn(prepared)));
    expect(read).toEqual(prepared);
    expect(applyUpdates(channels, new Map(), [read])).toEqual(
      applyUpdates(channels, new Map(), [prepared as PreparedUpdate]),
    );
  });

  test.each([[{ a: 1 }], [{ a: ['write'] }], [{ a: ['other', 1] }], [[1]], ['text']])('refuses %j', (value) => {
    expect(() => parseUpdate(value)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });
});
