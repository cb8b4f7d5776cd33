import { describe, expect, test } from 'vitest';
import { type NewEntry, placeEntry } from '../../record/record.ts';
import { foldRecord } from '../fold/fold-record.ts';
import { newRunState, type RunState } from '../fold/run-state.ts';
import { hasWork, nextWakeAt } from './readiness.ts';

const place = { node: 'pay' };
const start = { graph: 'g', version: 1, fingerprint: 'f', hash: 'h', next: ['pay'] };
const error = { name: 'Error', message: 'no' };

function folded(...records: readonly Pick<NewEntry, 'kind' | 'payload'>[]): RunState {
  const state = newRunState('run');
  [{ kind: 'run-start', payload: start } as const, ...records].forEach(({ kind, payload }, at) => {
    foldRecord(state, placeEntry({ kind, at: 0, payload }, 'run', at + 1));
  });
  return state;
}

const slept = [
  { kind: 'wait', payload: { ...place, name: 'nap', id: 'nap', kind: 'sleep', until: 1 } },
  { kind: 'timer', payload: { wait: 'nap' } },
] as const;
/** A step fails, is to be tried again at 100, and its task has parked until then. */
const backsOff = [
  ...slept,
  { kind: 'attempt', payload: { ...place, name: 'charge', error, retryAt: 100 } },
  { kind: 'wait', payload: { ...place, again: true, seen: 3 } },
] as const;

describe('hasWork()', () => {
  test('lets a task wait for the next try of its step', () => {
    const state = folded(...backsOff);
    expect([hasWork(state, 99), nextWakeAt(state), hasWork(state, 100)]).toEqual([false, 100, true]);
  });

  test('continues a task that was interrupted after the next attempt of its step', () => {
    expect(hasWork(folded(...backsOff, { kind: 'result', payload: { ...place, name: 'charge' } }), 100)).toBe(true);
    expect(hasWork(folded(...backsOff, { kind: 'intent', payload: { ...place, name: 'charge', key: 'k' } }), 0)).toBe(
      true,
    );
  });

  test('lets a task wait again that has parked since the next try of its step', () => {
    const result = { kind: 'result', payload: { ...place, name: 'charge' } } as const;
    const wait = { kind: 'wait', payload: { ...place, name: 'ok', id: 'ok', kind: 'ask', seen: 5 } } as const;
    expect(hasWork(folded(...backsOff, result, wait), 1_000)).toBe(false);
  });

  test('lets an effect of unknown outcome wait, also one that had failed before', () => {
    const intent = { kind: 'intent', payload: { ...place, name: 'charge', key: 'k' } } as const;
    const wait = { kind: 'wait', payload: { ...place, name: 'charge', id: 'k', kind: 'effect', seen: 6 } } as const;
    expect(hasWork(folded(...backsOff, intent, wait), 1_000)).toBe(false);
  });

  test('continues a task that was interrupted after it got an early answer', () => {
    const answer = { kind: 'answer', payload: { name: 'ok', value: 1, checked: true } } as const;
    const wait = { kind: 'wait', payload: { ...place, name: 'ok', id: 'ok', kind: 'ask', answer: 2 } } as const;
    expect(hasWork(folded(answer, wait), 0)).toBe(true);
  });
});
