import { expect, test } from 'vitest';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { Failures } from './failures.ts';

const longest = (): number => 0;

test('waits longer after each failure at the same head, up to a second, and never gives up', () => {
  const failures = new Failures();
  const again = Array.from({ length: 8 }, () => failures.again({ runId: 'run', head: 3 }, longest));
  expect(again.map(({ pauseMs }) => pauseMs)).toEqual([200, 400, 800, 1_000, 1_000, 1_000, 1_000, 1_000]);
  expect(again.map(({ retries }) => retries)).toEqual([0, 1, 2, 3, 4, 5, 5, 5]);
});

test('begins again when the run has moved on, and for another run', () => {
  const failures = new Failures();
  for (const head of [3, 3]) failures.again({ runId: 'run', head }, longest);
  expect(failures.again({ runId: 'run', head: 4 }, longest)).toEqual({ retries: 0, pauseMs: 200 });
  expect(failures.again({ runId: 'other', head: 3 }, longest)).toEqual({ retries: 0, pauseMs: 200 });
});

test('forgets the oldest of too many', () => {
  const failures = new Failures();
  const error = holdfastError('HOLDFAST_STORE_FAILED', 'No.');
  for (let count = 0; count <= 1_000; count += 1) {
    failures.set(`run-${count}`, { error, head: 1 });
    failures.again({ runId: `run-${count}`, head: 1 }, longest);
  }
  expect(failures.pop('run-0')).toBeUndefined();
  expect(failures.again({ runId: 'run-0', head: 1 }, longest)).toMatchObject({ retries: 0 });
  expect(failures.again({ runId: 'run-1000', head: 1 }, longest)).toMatchObject({ retries: 1 });
});
