import { describe, expect, test } from 'vitest';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { list } from './list.ts';
import { replace } from './replace.ts';
import { applyUpdates } from './update/apply-updates.ts';
import { type PreparedUpdate, prepareUpdate } from './update/prepare-update.ts';

/** Writes to a channel, one super-step after another. A super-step is the updates of its tasks. */
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

const invalid = (path = ''): unknown =>
  expect.objectContaining({
    code: 'HOLDFAST_INVALID_VALUE',
    details: expect.objectContaining({ channel: 'x', path }) as unknown,
  });

describe('requirement document 002: append list', () => {
  test('appends nothing for null, one item for a scalar, and the items of an array', () => {
    expect(write(list<string>()).value).toEqual([]);
    expect(write(list<string>(), [null]).value).toEqual([]);
    expect(write(list<string>(), ['a']).value).toEqual(['a']);
    expect(write(list<string>(), ['a'], [['b', 'c']]).value).toEqual(['a', 'b', 'c']);
  });
});

describe('list()', () => {
  test('appends what parallel tasks wrote, in order, in one delta', () => {
    expect(write(list<number>(), [1], [2, [3, 4], null])).toEqual({
      value: [1, 2, 3, 4],
      delta: { x: ['+', [2, 3, 4]] },
    });
  });

  test('does not change if nothing is appended', () => {
    expect(write(list<number>(), [1], [null, []]).delta).toEqual({});
  });

  test('accepts lists of items for a list of lists', () => {
    expect(write(list<readonly number[]>(), [[[1, 2], [3]]]).value).toEqual([[1, 2], [3]]);
  });

  test('is set by replace, with a delta that reuses kept items', () => {
    const items = Array.from({ length: 10 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
    expect(write(list<object>(), [items], [replace([])]).value).toEqual([]);
    const channels = channelSet({ x: list<object>() });
    const start = applyUpdates(channels, new Map(), [prepareUpdate(channels, { x: items }) as PreparedUpdate]);
    const kept = (readCell(start.state.get('x')) as readonly object[]).slice(-3);
    const updates = [{ x: replace(kept) }, { x: 'new' }].map(
      (update) => prepareUpdate(channels, update) as PreparedUpdate,
    );
    const trimmed = applyUpdates(channels, start.state, updates);
    expect(trimmed.delta).toEqual({ x: ['~', [[7, 3, ['new']]]] });
    expect(readCell(trimmed.state.get('x'))).toEqual([...items.slice(-3), 'new']);
  });

  test('refuses a replace that is not a list', () => {
    expect(failing(list(), replace('a'))).toEqual(invalid());
    expect(failing(list(), replace(undefined))).toEqual(invalid());
    expect(failing(list(), replace(null))).toEqual(invalid());
  });

  test('names the location in what was written', () => {
    expect(failing(list(), [1, { f: () => 1 }])).toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
      details: { channel: 'x', path: '/1/f' },
    });
    expect(failing(list(), { f: () => 1 })).toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
      details: { channel: 'x', path: '/f' },
    });
  });

  test('refuses something that is not a schema', () => {
    const call = list as (item: unknown) => unknown;
    expect(() => call('string')).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('refuses a state that was written with another definition', () => {
    const channels = channelSet({ x: list() });
    const update = prepareUpdate(channels, { x: 1 }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});

describe('a list that is written with all of its items again', () => {
  const channels = channelSet({ x: list() });
  const start = applyUpdates(channels, new Map(), [
    prepareUpdate(channels, { x: [{ n: 1 }, { n: 2 }] }) as PreparedUpdate,
  ]);
  const items = readCell(start.state.get('x')) as readonly unknown[];
  const again = (update: unknown): (() => unknown) => {
    return () => applyUpdates(channels, start.state, [prepareUpdate(channels, { x: update }) as PreparedUpdate]);
  };

  test('is refused, because a spread of the state would double it', () => {
    expect(again([...items, { n: 3 }])).toThrow(invalid());
    expect(again([...items, { n: 3 }])).toThrow('list() appends, so return only the new items, or replace(…)');
    expect(again(items)).toThrow(invalid());
  });

  test('takes equal items, a part of them, and a replacement', () => {
    expect(again([{ n: 1 }, { n: 2 }])).not.toThrow();
    expect(again(items.slice(1))).not.toThrow();
    expect(again([items[0], { n: 2 }, { n: 3 }])).not.toThrow();
    expect(again(replace([...items, { n: 3 }]))).not.toThrow();
  });

  test('takes one item, strings and numbers again, which could be meant: a task warns', () => {
    expect(write(list(), [[{ n: 1 }]], [['a', 'b']]).value).toEqual([{ n: 1 }, 'a', 'b']);
    expect(write(list(), [['a', 'b']], [['a', 'b', 'c']]).value).toEqual(['a', 'b', 'a', 'b', 'c']);
  });
});
