import { describe, expect, test } from 'vitest';
import { readCell } from '../../delta/cell.ts';
import { Vector } from '../../delta/vector.ts';
import { channel } from '../channel.ts';
import { channelSet } from '../channel-set.ts';
import { counter } from '../counter.ts';
import { list } from '../list.ts';
import { messages } from '../messages.ts';
import { applyUpdates } from './apply-updates.ts';
import { type PreparedUpdate, prepareUpdate } from './prepare-update.ts';

const channels = channelSet({ n: counter(), log: list<string>(), note: channel<string>() });
const prepared = (update: unknown): PreparedUpdate => prepareUpdate(channels, update) as PreparedUpdate;
const start = applyUpdates(channels, new Map(), []);

describe('applyUpdates()', () => {
  test('gives every channel its default, told in the delta', () => {
    expect(start.delta).toEqual({ n: ['=', 0], log: ['=', []] });
    expect(start.isChanged).toBe(true);
    expect(Object.keys(start.delta)).toEqual(['n', 'log']);
    expect(start.state.has('note')).toBe(false);
  });

  test('merges the updates of a step in their order, one delta a channel', () => {
    const { delta } = applyUpdates(channels, start.state, [
      prepared({ n: 1, log: 'a' }),
      prepared({ log: 'b', note: 'x' }),
      prepared({ n: 2 }),
    ]);
    expect(delta).toEqual({ n: ['=', 3], log: ['+', ['a', 'b']], note: ['=', 'x'] });
    expect(Object.keys(delta)).toEqual(['n', 'log', 'note']);
  });

  test('gives the same state back when nothing changed', () => {
    const { state, delta, isChanged } = applyUpdates(channels, start.state, [
      prepared({ n: 0, log: null }),
      prepared({}),
    ]);
    expect(state).toBe(start.state);
    expect([delta, isChanged]).toEqual([{}, false]);
  });

  test('leaves the old state as it was', () => {
    const one = applyUpdates(channels, start.state, [prepared({ log: 'a' })]);
    const two = applyUpdates(channels, one.state, [prepared({ log: 'b' })]);
    const other = applyUpdates(channels, one.state, [prepared({ log: 'c' })]);
    expect([start, one, two, other].map(({ state }) => readCell(state.get('log')))).toEqual([
      [],
      ['a'],
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  test('tells a channel that the state does not know whole', () => {
    const newer = channelSet({ n: counter(), log: list<string>(), m: messages() });
    const { state, delta } = applyUpdates(newer, start.state, [
      prepareUpdate(newer, { m: { id: 'a' } }) as PreparedUpdate,
    ]);
    expect(delta).toEqual({ m: ['=', [{ id: 'a' }]] });
    expect(readCell(state.get('m'))).toEqual([{ id: 'a' }]);
  });

  test('refuses a channel that is not there any more', () => {
    const older = prepared({ note: 'x' });
    expect(() => applyUpdates(channelSet({ n: counter() }), new Map(), [older])).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNKNOWN_CHANNEL' }),
    );
  });

  test('never collects a list that it appends to', () => {
    let { state } = start;
    for (const item of ['a', 'b', 'c']) ({ state } = applyUpdates(channels, state, [prepared({ log: item })]));
    expect(state.get('log')).toBeInstanceOf(Vector);
  });
});
