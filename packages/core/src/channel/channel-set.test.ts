import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from './channel.ts';
import { channelProblems, channelSet } from './channel-set.ts';
import type { Channels } from './channels.ts';
import { list } from './list.ts';

describe('channelSet()', () => {
  test('accepts channels and bare schemas, in order', () => {
    expect([...channelSet({ b: channel(), a: z.string(), c: list() }).keys()]).toEqual(['b', 'a', 'c']);
  });

  test.each([
    [undefined],
    [null],
    [5],
    [{}],
    [z.string],
    [{ '~standard': 1 }],
    [{ '~standard': {} }],
    [{ '~standard': null }],
  ])('refuses %o, which is neither, naming the channel', (definition) => {
    expect(() => channelSet({ odd: definition } as unknown as Channels)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_OPTION',
        details: { channel: 'odd' },
        message: expect.stringContaining('"odd"') as unknown,
      }),
    );
  });

  test.each([['constructor'], [''], ['a b'], ['1']])('refuses the name %j', (name) => {
    expect(() => channelSet({ [name]: channel() })).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' }));
  });
});

describe('channelProblems()', () => {
  test('finds every problem', () => {
    const channels = { fine: channel(), 'a b': channel(), odd: 5 } as unknown as Channels;
    expect(channelProblems(channels).map(({ code }) => code)).toEqual([
      'HOLDFAST_INVALID_ID',
      'HOLDFAST_INVALID_OPTION',
    ]);
    expect(channelProblems({ fine: channel() })).toEqual([]);
  });

  test('passes on internal errors', () => {
    const channels = new Proxy(
      { a: channel() },
      {
        get: () => {
          throw new TypeError('bug');
        },
      },
    );
    expect(() => channelProblems(channels)).toThrow(TypeError);
  });
});
