import { expect, test } from 'vitest';
import { Admission } from './admission.ts';

test('without a work loop every run may begin', () => {
  const admission = new Admission(() => 1_000);
  expect(admission.room).toBe(Number.POSITIVE_INFINITY);
  expect(admission.reserve()).toBeDefined();
  expect([admission.isOpen, admission.hasLoop]).toEqual([true, false]);
});

test('reserved room counts like a run, and is told of when somebody was refused', () => {
  let told = 0;
  const admission = new Admission(() => 1);
  admission.beginLoop(3, () => (told += 1));
  const end = admission.reserve(2);
  expect(admission.room).toBe(0);
  end?.();
  expect([admission.room, told]).toEqual([2, 0]);
  const again = admission.reserve(2);
  expect(admission.reserve()).toBeUndefined();
  again?.();
  expect([admission.room, told]).toEqual([2, 1]);
});

test('no run begins during a drain, and none afterwards until somebody asks for one', () => {
  const admission = new Admission(() => 0);
  admission.beginLoop(3, () => {});
  admission.drain();
  admission.open();
  expect([admission.isOpen, admission.room, admission.hasLoop]).toEqual([false, 0, false]);
  admission.drained();
  expect([admission.isOpen, admission.room]).toEqual([false, 0]);
  expect(admission.request()).toBeDefined();
  expect([admission.isOpen, admission.room]).toEqual([true, Number.POSITIVE_INFINITY]);
});
