import { beforeEach, describe, expect, test } from 'vitest';
import { deferred } from '../../../async/deferred.ts';
import { storeFault } from '../../store-fault.ts';
import { RunMutex } from './run-mutex.ts';

let mutex: RunMutex;
let done: string[];

beforeEach(() => {
  mutex = new RunMutex();
  done = [];
});

function call(name: string, after: Promise<void> = Promise.resolve()): () => Promise<void> {
  return () => after.then(() => void done.push(name));
}

describe('run()', () => {
  test.each([
    { first: ['a'], next: ['b', 'c'], together: true },
    { first: ['a'], next: ['b', 'a'], together: false },
    { first: ['a', 'b'], next: ['b'], together: false },
    { first: [], next: ['a'], together: true },
  ])('$next after $first: at the same time is $together', async ({ first, next, together }) => {
    const gate = deferred();
    const before = mutex.run(first, call('first', gate.promise));
    const after = mutex.run(next, call('next'));
    if (together) await after;
    gate.resolve();
    await Promise.all([before, after]);
    expect(done).toEqual(together ? ['next', 'first'] : ['first', 'next']);
  });

  test('continues after a failure', async () => {
    const failing = mutex.run(['a'], () => Promise.reject(new Error('no room')));
    const next = mutex.run(['a'], async () => 'done');
    await expect(failing).rejects.toThrow('no room');
    expect(await next).toBe('done');
  });

  test('keeps the order of the calls, also behind one that waits itself', async () => {
    const gate = deferred();
    const all = [
      mutex.run(['a'], call('a', gate.promise)),
      mutex.run(['a', 'b'], call('a and b')),
      mutex.run(['b'], call('b')),
    ];
    gate.resolve();
    await Promise.all(all);
    expect(done).toEqual(['a', 'a and b', 'b']);
  });

  test('refuses every call after one that left files in doubt, also those that wait', async () => {
    const fault = storeFault({ effect: 'unknown', poisoned: true, cause: new Error('EIO') });
    const failing = mutex.run(['a'], () => Promise.reject(fault));
    const next = mutex.run(['a'], call('next'));
    await expect(failing).rejects.toBe(fault);
    for (const refused of [next, mutex.run(['b'], call('b'))]) {
      await expect(refused).rejects.toMatchObject({ details: { effect: 'none', poisoned: true }, cause: fault.cause });
    }
    expect(mutex.isPoisoned).toBe(true);
    expect(done).toEqual([]);
  });
});

test('idle() waits for all calls, and for those that begin meanwhile', async () => {
  const gate = deferred();
  const first = mutex.run(['a'], call('a', gate.promise));
  const idle = mutex.idle().then(() => done.push('idle'));
  const second = mutex.run(['b'], call('b', gate.promise));
  gate.resolve();
  await Promise.all([first, second, idle]);
  expect(done).toEqual(['a', 'b', 'idle']);
});
