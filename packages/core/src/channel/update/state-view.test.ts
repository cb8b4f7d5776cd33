import { deepStrictEqual } from 'node:assert';
import { format, inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { Vector } from '../../delta/vector.ts';
import { channel } from '../channel.ts';
import { channelSet } from '../channel-set.ts';
import { counter } from '../counter.ts';
import { list } from '../list.ts';
import { applyUpdates } from './apply-updates.ts';
import { type PreparedUpdate, prepareUpdate } from './prepare-update.ts';
import { stateView } from './state-view.ts';

const channels = channelSet({ n: counter(), log: list<string>(), note: channel<string>() });
const after = (...updates: readonly unknown[]): ReturnType<typeof applyUpdates>['state'] => {
  let { state } = applyUpdates(channels, new Map(), []);
  for (const update of updates)
    ({ state } = applyUpdates(channels, state, [prepareUpdate(channels, update) as PreparedUpdate]));
  return state;
};
const state = after({ log: 'a', n: 1 }, { log: 'b' });

const getter = (view: object): unknown =>
  new Map(Object.entries(Object.getOwnPropertyDescriptor(view, 'log') ?? {})).get('get');

describe('stateView()', () => {
  test('has one property per channel, in declaration order, including unset ones', () => {
    const view = stateView(channels, state);
    expect(Object.keys(view)).toEqual(['n', 'log', 'note']);
    expect({ ...view }).toEqual({ n: 1, log: ['a', 'b'], note: undefined });
    expect(JSON.stringify(view)).toBe('{"n":1,"log":["a","b"]}');
    expect('note' in view).toBe(true);
    expect(structuredClone(view)).toEqual({ n: 1, log: ['a', 'b'], note: undefined });
    expect(Object.getPrototypeOf(view)).toBe(Object.prototype);
  });

  test('prints, compares and copies like a plain object', () => {
    const view = stateView(channels, state);
    const plain = { n: 1, log: ['a', 'b'], note: undefined };
    expect(inspect(view)).toBe(inspect(plain));
    expect(inspect({ state: view }, { depth: 0 })).toBe(inspect({ state: plain }, { depth: 0 }));
    expect(format('%o', { view })).not.toContain('Getter');
    deepStrictEqual(view, plain);
    expect(view).toStrictEqual(plain);
    expect(Reflect.ownKeys({ ...view })).toEqual(['n', 'log', 'note']);
  });

  test('collects a list only when it is read, once', () => {
    const collect = vi.spyOn(Vector.prototype, 'toArray');
    const view = stateView(channels, state);
    void view['n'];
    expect(collect).not.toHaveBeenCalled();
    expect(view['log']).toBe(view['log']);
    expect(collect).toHaveBeenCalled();
    collect.mockRestore();
  });

  test('cannot be changed', () => {
    const view = stateView(channels, state) as Record<string, unknown>;
    expect(Object.isFrozen(view)).toBe(true);
    for (const name of ['n', 'log', 'note', 'other']) {
      expect(() => {
        view[name] = 1;
      }).toThrow(TypeError);
    }
    expect(() => delete view['n']).toThrow(TypeError);
    expect(() => (view['log'] as unknown[]).push(1)).toThrow(TypeError);
  });

  test('does not change when the state changes', () => {
    const view = stateView(channels, state);
    const next = stateView(
      channels,
      applyUpdates(channels, state, [prepareUpdate(channels, { log: 'c' }) as PreparedUpdate]).state,
    );
    expect([view['log'], next['log']]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
  });

  test('shares its getters with every other view of the channels', () => {
    expect(getter(stateView(channels, state))).toBe(getter(stateView(channels, after({ log: 'x' }, { log: 'y' }))));
  });

  test('shows the default of a channel that is new to the state', () => {
    expect({ ...stateView(channels, new Map()) }).toEqual({ n: 0, log: [], note: undefined });
  });
});
