import { describe, expect, test } from 'vitest';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import { counter } from './counter.ts';
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

const invalid = (path = ''): unknown =>
  expect.objectContaining({
    code: 'HOLDFAST_INVALID_VALUE',
    details: expect.objectContaining({ channel: 'x', path }) as unknown,
  });

describe('counter()', () => {
  test('adds to its start', () => {
    expect(write(counter()).value).toBe(0);
    expect(write(counter(10), [1, 2], [-0.5])).toEqual({ value: 12.5, delta: { x: ['=', 12.5] } });
    expect(write(counter(), [0]).delta).toEqual({});
    expect(write(counter(), [5], [replace(1), 1]).value).toBe(2);
  });

  test.each([['1'], [null], [Number.NaN], [Number.POSITIVE_INFINITY], [1n], [replace('1')], [replace(undefined)]])(
    'refuses %s',
    (update) => {
      expect(failing(counter(), update)).toEqual(invalid());
    },
  );

  test('refuses a start that is no number', () => {
    expect(() => counter(Number.NaN)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('tells when the state holds something else, from before it was defined so', () => {
    const channels = channelSet({ x: counter() });
    const update = prepareUpdate(channels, { x: 1 }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});
