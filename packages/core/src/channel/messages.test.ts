import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cellOf, readCell } from '../delta/cell.ts';
import type { Deltas } from '../delta/delta.ts';
import { channelSet } from './channel-set.ts';
import type { ChannelDefinition } from './definition.ts';
import { messages } from './messages.ts';
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

describe('requirement document 002: append messages', () => {
  test('replaces the message with the same id in place', () => {
    const { value } = write(
      messages(),
      [
        [
          { id: 'a', n: 1 },
          { id: 'b', n: 1 },
        ],
      ],
      [{ id: 'a', n: 2 }],
      [{ id: 'c', n: 1 }],
    );
    expect(value).toEqual([
      { id: 'a', n: 2 },
      { id: 'b', n: 1 },
      { id: 'c', n: 1 },
    ]);
  });
});

describe('messages()', () => {
  const long = 'x'.repeat(100);

  test('writes only appended and changed messages', () => {
    expect(write(messages(), [{ id: 'a', long }], [{ id: 'b' }]).delta).toEqual({ x: ['+', [{ id: 'b' }]] });
    expect(write(messages(), [{ id: 'a', long, n: 1 }], [{ id: 'a', long, n: 2 }]).delta).toEqual({
      x: ['@', [[0, ['o', { n: ['=', 2] }, []]]], []],
    });
    expect(write(messages(), [{ id: 'a', n: 1 }], [{ id: 'a', n: 1 }]).delta).toEqual({});
    expect(write(messages(), [{ id: 'a' }], [null]).delta).toEqual({});
  });

  test('merges what parallel tasks wrote, in order, in one delta', () => {
    const { value, delta } = write(
      messages(),
      [{ id: 'a', n: 1 }],
      [{ id: 'b', n: 1 }, [{ id: 'a', n: 2 }, {}], { id: 'b', n: 2 }, { id: 'a', n: 3 }],
    );
    expect(value).toEqual([{ id: 'a', n: 3 }, { id: 'b', n: 2 }, {}]);
    expect(delta).toEqual({ x: ['@', [[0, ['o', { n: ['=', 3] }, []]]], [{ id: 'b', n: 2 }, {}]] });
  });

  test('appends messages without an id, equal or not', () => {
    expect(write(messages(), [{ n: 1 }], [{ n: 1 }, { id: undefined, n: 1 }]).value).toEqual([
      { n: 1 },
      { n: 1 },
      { n: 1 },
    ]);
  });

  test('merges onto a replaced list', () => {
    const { value } = write(
      messages(),
      [[{ id: 'a' }, { id: 'b' }]],
      [{ id: 'z' }, replace([{ id: 's' }]), [{ id: 's', n: 2 }, { id: 't' }], null],
    );
    expect(value).toEqual([{ id: 's', n: 2 }, { id: 't' }]);
  });

  test.each<[unknown, string]>([
    [5, ''],
    ['text', ''],
    [[{}, 5], '/1'],
    [[[]], '/0'],
    [new Map(), ''],
    [{ id: 5 }, '/id'],
    [[{ id: null }], '/0/id'],
    [replace({ id: 'a' }), ''],
    [replace([5]), '/0'],
  ])('refuses %j', (update, path) => {
    expect(failing(messages(), update)).toEqual(invalid(path));
  });

  test('refuses what cannot be stored', () => {
    expect(failing(messages(), [{ f: () => 1 }])).toMatchObject({
      code: 'HOLDFAST_UNSERIALIZABLE',
      details: { channel: 'x', path: '/0/f' },
    });
  });

  test('refuses a state that was written with another definition', () => {
    const channels = channelSet({ x: messages() });
    const update = prepareUpdate(channels, { x: {} }) as PreparedUpdate;
    expect(() => applyUpdates(channels, new Map([['x', cellOf('text')]]), [update])).toThrow('Migrate the state');
  });
});

describe('messages() with a schema', () => {
  const said = z.object({ id: z.string().optional(), text: z.string() });
  const later = said.refine(async () => true);

  test.each([said, later])('checks every message', async (schema) => {
    const channels = channelSet({ said: messages(schema) });
    const update = await prepareUpdate(channels, { said: { text: 'x' } });
    expect(update).toEqual({ said: ['write', [{ text: 'x' }]] });
    await expect((async () => prepareUpdate(channels, { said: [{ text: 5 }] }))()).rejects.toThrow(/said/);
  });

  test('knows its JSON Schema, and refuses what is no schema', () => {
    const [behaviour] = channelSet({ said: messages(said) }).values();
    expect(behaviour?.updateSchema?.()).toMatchObject({ anyOf: [{ type: 'object' }, { type: 'array' }] });
    expect(() => messages(5 as never)).toThrow(/must be a Standard Schema/);
  });
});

/** Writes messages, and then what an update makes of them: how many there are. */
const lengthAfter = (said: readonly object[], after: (items: readonly object[]) => unknown) => () => {
  const channels = channelSet({ x: messages() });
  const start = applyUpdates(channels, new Map(), [prepareUpdate(channels, { x: said }) as PreparedUpdate]);
  const items = readCell(start.state.get('x')) as readonly object[];
  const { state } = applyUpdates(channels, start.state, [
    prepareUpdate(channels, { x: after(items) }) as PreparedUpdate,
  ]);
  return (readCell(state.get('x')) as readonly object[]).length;
};
const spread = (items: readonly object[]) => [...items, { text: 'c' }];

describe('messages that are written with all of them again', () => {
  const bare = [{ text: 'a' }, { text: 'b' }];

  test('are refused if one of them has no id: a spread of the state would double it', () => {
    expect(lengthAfter(bare, spread)).toThrow('messages() appends, so return only the new items, or replace(…)');
    expect(lengthAfter([{ id: '1' }, { text: 'b' }], spread)).toThrow('messages() appends');
  });

  test('replace themselves if each has an id', () => {
    expect(lengthAfter([{ id: '1' }, { id: '2' }], (items) => [...items, { id: '3' }])()).toBe(3);
  });

  test('are taken as equal messages, in part, and in a replacement', () => {
    expect(lengthAfter(bare, () => [{ text: 'a' }, { text: 'b' }])()).toBe(4);
    expect(lengthAfter(bare, (items) => items.slice(1))()).toBe(3);
    expect(lengthAfter(bare, (items) => replace([...items, { text: 'c' }]))()).toBe(3);
  });
});
