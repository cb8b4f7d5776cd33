import { describe, expect, test } from 'vitest';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { RecentStates } from './recent-states.ts';

const state = (text: string): Readonly<Record<string, unknown>> => frozenCopy({ text: text.repeat(100) });

describe('RecentStates', () => {
  test('keeps what was used last, up to so many bytes', () => {
    const recent = new RecentStates(250);
    recent.put('a', { key: 'a@1', state: state('a') });
    recent.put('b', { key: 'b@1', state: state('b') });
    expect(recent.get('a@1')).toEqual(state('a'));
    recent.put('c', { key: 'c@1', state: state('c') });
    expect(recent.get('b@1')).toBeUndefined();
    expect(recent.lastOf('b')).toBeUndefined();
    expect(recent.get('a@1')).toEqual(state('a'));
    expect(recent.bytes).toBeLessThanOrEqual(250);
  });

  test('drops the state that another one follows', () => {
    const recent = new RecentStates();
    recent.put('a', { key: 'a@1', state: state('a') });
    recent.put('a', { key: 'a@2', state: state('b'), follows: 'a@1' });
    expect(recent.get('a@1')).toBeUndefined();
    expect(recent.lastOf('a')).toEqual(state('b'));
  });

  test('keeps nothing that is larger than all of it', () => {
    const recent = new RecentStates(10);
    recent.put('a', { key: 'a@1', state: state('a') });
    expect([recent.lastOf('a'), recent.bytes]).toEqual([undefined, 0]);
  });
});
