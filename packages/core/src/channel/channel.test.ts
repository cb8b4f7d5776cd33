import { describe, expect, test } from 'vitest';
import { readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { channel } from './channel.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { replace } from './replace.ts';
import { applyUpdates } from './update/apply-updates.ts';
import { type PreparedUpdate, prepareUpdate } from './update/prepare-update.ts';

/** Writes to a channel, one step after another; a step is the updates of its tasks. */
function write(
  definition: ChannelDefinition,
  ...steps: readonly (readonly unknown[])[]
): { readonly value: unknown; readonly delta: Deltas } {
  const channels = channelSet({ x: definition });
  let applied = applyUpdates(channels, new Map(), []);
  for (const updates of steps) {
    const prepared = updates.map((update) => prepareUpdate(channels, { x: update }) as PreparedUpdate);
    applied = applyUpdates(channels, applied.state, prepared);
  }
  return { value: readCell(applied.state.get('x')), delta: applied.delta };
}

function failing(definition: ChannelDefinition, ...updates: readonly unknown[]): unknown {
  try {
    return write(definition, ...updates.map((update) => [update]));
  } catch (error) {
    return error;
  }
}

describe('requirement document 002: last write wins', () => {
  test('has no value until one is written, then the last one', () => {
    expect(write(channel<number>()).value).toBeUndefined();
    expect(write(channel<number>(), [1], [2]).value).toBe(2);
    expect(write(channel<number>(), [1, 2]).value).toBe(2);
  });
});

describe('channel()', () => {
  test('tells only what changed', () => {
    const long = 'x'.repeat(200);
    expect(write(channel<object>(), [{ a: 1, long }], [{ a: 2, long }]).delta).toEqual({
      x: ['o', { a: ['=', 2] }, []],
    });
    expect(write(channel<object>(), [{ a: 1 }], [{ a: 1 }]).delta).toEqual({});
  });

  test('loses its value by a replace with undefined', () => {
    const { value, delta } = write(channel<number>(), [1], [replace(undefined)]);
    expect(value).toBeUndefined();
    expect(delta).toEqual({ x: ['-'] });
    expect(write(channel<number>(), [1], [replace(undefined)], [3]).value).toBe(3);
  });

  test('copies and freezes what it is given', () => {
    const given = { a: [1] };
    const { value } = write(channel<object>(), [given]);
    given.a.push(2);
    expect(value).toEqual({ a: [1] });
    expect(isFrozenCopy(value)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });

  test('refuses what cannot be stored, with the channel and the path', () => {
    expect(failing(channel(), { a: [0, () => 1] })).toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
      details: { channel: 'x', path: '/a/1' },
    });
  });
});

const defaultThrows = (thrown: unknown): unknown =>
  failing(
    channel<number>({
      default: () => {
        throw thrown;
      },
    }),
  );

describe('channel({ default, reduce })', () => {
  const longest = channel({
    default: () => '',
    reduce: (previous: string, next: string) => (next.length > previous.length ? next : previous),
  });
  const total = channel<{ sum: number; of: readonly number[] }, number>({
    default: () => ({ sum: 0, of: [] }),
    reduce: (previous, next) => ({ sum: previous.sum + next, of: [...previous.of, next] }),
  });

  test('has its default, told in the first delta', () => {
    expect(write(longest)).toEqual({ value: '', delta: { x: ['=', ''] } });
    expect(write(channel({ default: () => 5 }), [6])).toEqual({ value: 6, delta: { x: ['=', 6] } });
  });

  test('reduces each write in order', () => {
    expect(write(longest, ['ab', 'a'], ['abc']).value).toBe('abc');
    expect(write(total, [1, 2], [3]).value).toEqual({ sum: 6, of: [1, 2, 3] });
  });

  test('tells the change that the reducer made, and nothing where it gave back what was there', () => {
    expect(write(longest, ['abc'], ['a']).delta).toEqual({});
    const lists = channel<readonly object[], object>({
      default: () => [],
      reduce: (previous, next) => [...previous, next],
    });
    expect(write(lists, [{ a: 1 }], [{ b: 2 }]).delta).toEqual({ x: ['+', [{ b: 2 }]] });
  });

  test('shares what the reducer kept', () => {
    const kept = channel<{ big: object; n: number }, number>({
      default: () => ({ big: {}, n: 0 }),
      reduce: (previous, n) => ({ ...previous, n }),
    });
    const channels = channelSet({ x: kept });
    const first = applyUpdates(channels, new Map(), []);
    const second = applyUpdates(channels, first.state, [prepareUpdate(channels, { x: 1 }) as PreparedUpdate]);
    const big = (state: typeof first.state): unknown => (readCell(state.get('x')) as { big: object }).big;
    expect(big(second.state)).toBe(big(first.state));
  });

  test('names the channel when the reducer throws', () => {
    const cause = new Error('no');
    const broken = channel<number, number>({
      default: () => 0,
      reduce: () => {
        throw cause;
      },
    });
    expect(failing(broken, 1)).toMatchObject({
      code: 'HOLDFAST_REDUCER_FAILED',
      details: { channel: 'x' },
      cause,
      message: 'The reducer of channel "x" failed: no.',
    });
    const odd = channel<number, number>({
      default: () => 0,
      reduce: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- users do
        throw 'text';
      },
    });
    expect(failing(odd, 1)).toMatchObject({ code: 'HOLDFAST_REDUCER_FAILED', cause: 'text' });
  });

  test('refuses a reducer that changes its previous value, or its update', () => {
    const pushes = channel<number[], number[]>({
      default: () => [],
      reduce: (previous, next) => {
        previous.push(...next);
        return previous;
      },
    });
    expect(failing(pushes, [1])).toMatchObject({
      code: 'HOLDFAST_REDUCER_FAILED',
      cause: expect.any(TypeError) as unknown,
    });
    const fills = channel<number[], number[]>({
      default: () => [],
      reduce: (_previous, next) => next.fill(0),
    });
    expect(failing(fills, [2, 1])).toMatchObject({
      code: 'HOLDFAST_REDUCER_FAILED',
      cause: expect.any(TypeError) as unknown,
    });
  });

  test('refuses a reducer that gives a promise or what cannot be stored', () => {
    const waits = channel<unknown, number>({ default: () => 0, reduce: (_previous, next) => Promise.resolve(next) });
    expect(failing(waits, 1)).toMatchObject({
      code: 'HOLDFAST_REDUCER_FAILED',
      message: expect.stringContaining('promise') as unknown,
    });
    const functions = channel<unknown, number>({ default: () => 0, reduce: () => ({ f: () => 1 }) });
    expect(failing(functions, 1)).toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
      details: { channel: 'x', path: '/f' },
    });
  });

  test('is set past the reducer by replace, whatever was written before it', () => {
    expect(write(total, [1], [replace({ sum: 10, of: [] })]).value).toEqual({ sum: 10, of: [] });
    expect(write(total, [1, replace({ sum: 10, of: [] }), 2]).value).toEqual({ sum: 12, of: [2] });
  });

  test('may have no value', () => {
    const maybe = channel<string | undefined>({ default: () => 'start' });
    const { value, delta } = write(maybe, ['a'], [replace(undefined)]);
    expect({ value, delta }).toEqual({ value: undefined, delta: { x: ['-'] } });
    expect(write(maybe, [replace(undefined)]).delta).toEqual({ x: ['-'] });
    expect(write(channel<string | undefined>({ default: (): undefined => undefined })).delta).toEqual({});
  });

  test('names the channel when the default throws', () => {
    const cause = new Error('no');
    expect(defaultThrows(cause)).toMatchObject({ code: 'HOLDFAST_REDUCER_FAILED', details: { channel: 'x' }, cause });
    expect(defaultThrows('text')).toMatchObject({ code: 'HOLDFAST_REDUCER_FAILED', cause: 'text' });
  });

  test.each<[object]>([[{}], [{ default: 5 }], [{ default: () => 1, reduce: 5 }], [{ default: () => 1, schema: 5 }]])(
    'refuses the options %j',
    (options) => {
      expect(() => channel(options as never)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
    },
  );
});
