import { expect, test } from 'vitest';
import { isRunId } from '../../value/id.ts';
import { incarnationOf, workerLabel } from './incarnation.ts';

test('an incarnation is a valid id that keeps the label', () => {
  const incarnation = incarnationOf('eu:worker-1', () => 0.5);
  expect(isRunId(incarnation)).toBe(true);
  expect(workerLabel(incarnation)).toBe('eu:worker-1');
});

test('no two openings share one', () => {
  expect(incarnationOf('w', () => 0.1)).not.toBe(incarnationOf('w', () => 0.2));
});

test('a label that is no id is refused', () => {
  expect(() => incarnationOf('a b', Math.random)).toThrow('a b');
  expect(() => incarnationOf('x'.repeat(128), () => 0.5)).toThrow('id');
});
