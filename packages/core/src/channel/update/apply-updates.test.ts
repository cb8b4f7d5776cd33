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
  test('gives every channel its default, and includes it in the delta', () => {
    expect(start.delta).toEqual({ n: ['=', 0], log: ['=', []] });
    expect(start.isChanged).toBe(true);
    expect(Object.keys(start.delta)).toEqual(['n', 'log']);
    expect(start.state.has('note')).toBe(false);
  });

  test('merges the updates of a super-step in order, one delta per channel', () => {
    const { delta } = applyUpdates(channels, start.state, [
      prepared({ n: 1, log: 'a' }),
      prepared({ log: 'b', note: 'x' }),
      prepared({ n: 2 }),
    ]);
    expect(delta).toEqual({ n: ['=', 3], log: ['+', ['a', 'b']], note: ['=', 'x'] });
    expect(Object.keys(delta)).toEqual(['n', 'log', 'note']);
  });

  test('returns the same state if nothing changed', () => {
    const { state, delta, isChanged } = applyUpdates(channels, start.state, [
      prepared({ n: 0, log: null }),
      prepared({}),
    ]);
    expect(state).toBe(start.state);
    expect([delta, isChanged]).toEqual([{}, false]);
  });

  test('does not change the old state', () => {
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

  test('writes the whole value of a channel that is new to the state', () => {
    const newer = channelSet({ n: counter(), log: list<string>(), m: messages() });
    const { state, delta } = applyUpdates(newer, start.state, [
      prepareUpdate(newer, { m: { id: 'a' } }) as PreparedUpdate,
    ]);
    expect(delta).toEqual({ m: ['=', [{ id: 'a' }]] });
    expect(readCell(state.get('m'))).toEqual([{ id: 'a' }]);
  });

  test('refuses a channel that no longer exists', () => {
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
