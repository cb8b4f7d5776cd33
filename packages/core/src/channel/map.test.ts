import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { map } from './map.ts';
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

describe('requirement document 002: merge map', () => {
  test('merges keys, one level deep', () => {
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

  test('writes only the keys that changed', () => {
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

  test('is set by replace, and then merged into', () => {
    expect(write(map(), [{ a: 1 }], [replace({ b: 1, c: 1 }), { b: undefined, d: 1 }]).value).toEqual({ c: 1, d: 1 });
  });

  test('treats __proto__ like any other key', () => {
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

  test('refuses a state that was written with another definition', () => {
    const channels = channelSet({ x: map() });
    const update = prepareUpdate(channels, { x: {} }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});

describe('map() with a schema', () => {
  const later = z.string().refine(async () => true);

  test.each([z.string(), later])('checks the values that are set, and removes the others', async (schema) => {
    const channels = channelSet({ seen: map(schema) });
    const update = await prepareUpdate(channels, { seen: { a: 'x', b: undefined } });
    expect(update).toEqual({ seen: ['write', { set: { a: 'x' }, remove: ['b'] }] });
    await expect((async () => prepareUpdate(channels, { seen: { a: 5 } }))()).rejects.toThrow(/seen/);
  });

  test('knows its JSON Schema, and refuses what is no schema', () => {
    const [behaviour] = channelSet({ seen: map(z.number()) }).values();
    expect(behaviour?.updateSchema?.()).toMatchObject({ type: 'object', additionalProperties: { type: 'number' } });
    expect(() => map(5 as never)).toThrow(/must be a Standard Schema/);
  });
});
