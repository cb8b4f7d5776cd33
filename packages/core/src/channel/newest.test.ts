import { describe, expect, test } from 'vitest';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { newest } from './newest.ts';
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

describe('requirement document 002: max by timestamp', () => {
  test('keeps the newest; of equals the incoming one', () => {
    expect(write(newest(), [{ at: 2, n: 1 }], [{ at: 1, n: 2 }]).value).toEqual({ at: 2, n: 1 });
    expect(write(newest(), [{ at: 2, n: 1 }], [{ at: 2, n: 2 }]).value).toEqual({ at: 2, n: 2 });
    expect(write(newest(), [{ at: 2, n: 1 }], [{ at: 3, n: 2 }]).value).toEqual({ at: 3, n: 2 });
  });
});

describe('newest()', () => {
  test('loses its value by a replace with undefined, and takes any value past the reducer', () => {
    expect(write(newest(), [{ at: 5 }], [replace(undefined)]).value).toBeUndefined();
    expect(write(newest(), [{ at: 5 }], [replace({ at: 1 })], [{ at: 2 }]).value).toEqual({ at: 2 });
  });

  test.each<[unknown, string]>([
    [5, ''],
    [null, ''],
    [{}, '/at'],
    [{ at: 'today' }, '/at'],
    [{ at: Number.NaN }, '/at'],
    [replace({ n: 1 }), '/at'],
  ])('refuses %j', (update, path) => {
    expect(failing(newest(), update)).toEqual(invalid(path));
  });

  test('tells when the state holds something else, from before it was defined so', () => {
    const channels = channelSet({ x: newest() });
    const update = prepareUpdate(channels, { x: { at: 1 } }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});
