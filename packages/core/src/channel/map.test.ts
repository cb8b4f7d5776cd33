import { describe, expect, test } from 'vitest';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { map } from './map.ts';
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

describe('requirement document 002: merge map', () => {
  test('merges keys, shallowly', () => {
    expect(write(map(), [{ a: { b: 1 } }], [{ a: { c: 2 }, d: 3 }]).value).toEqual({ a: { c: 2 }, d: 3 });
  });
});

describe('map()', () => {
  test('removes a key that is set to undefined', () => {
    expect(write(map(), [{ a: 1, b: 2 }], [{ a: undefined, zzz: undefined }])).toEqual({
      value: { b: 2 },
      delta: { x: ['o', {}, ['a']] },
    });
  });

  test('tells only the keys that changed', () => {
    expect(write(map(), [{ a: 1, b: 2 }], [{ a: 1, b: 3 }]).delta).toEqual({ x: ['o', { b: ['=', 3] }, []] });
    expect(write(map(), [{ a: 1 }], [{ a: 1 }]).delta).toEqual({});
  });

  test('merges what parallel tasks wrote, in order', () => {
    expect(
      write(
        map(),
        [{ a: 1 }],
        [
          { a: undefined, b: 1 },
          { a: 5, b: undefined },
        ],
      ).value,
    ).toEqual({ a: 5 });
  });

  test('is set by replace, and merged onto', () => {
    expect(write(map(), [{ a: 1 }], [replace({ b: 1, c: 1 }), { b: undefined, d: 1 }]).value).toEqual({ c: 1, d: 1 });
  });

  test('takes __proto__ as a key like any other', () => {
    const { value } = write(map(), [JSON.parse('{"__proto__":1}')], [JSON.parse('{"__proto__":2,"a":1}')]);
    expect(JSON.stringify(value)).toBe('{"__proto__":2,"a":1}');
    expect(write(map(), [JSON.parse('{"__proto__":1}')], [{ ['__proto__']: undefined }]).value).toEqual({});
  });

  test.each([[null], [5], [[1]], [new Map()], [new Date()], [replace([1])], [replace(undefined)]])(
    'refuses %j',
    (update) => {
      expect(failing(map(), update)).toEqual(invalid());
    },
  );

  test('tells when the state holds something else, from before it was defined so', () => {
    const channels = channelSet({ x: map() });
    const update = prepareUpdate(channels, { x: {} }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});
