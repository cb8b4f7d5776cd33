import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { nodeClock } from './node-clock.ts';

describe('nodeClock', () => {
  test('lets many sleeps share a signal without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const controller = new AbortController();
    const sleeps = Array.from({ length: 50 }, () => nodeClock.sleep(60_000, controller.signal));
    controller.abort(new Error('enough'));
    const ended = await Promise.allSettled(sleeps);
    // A warning is emitted on the next tick.
    process.emitWarning('the last one');
    await once(process, 'warning');
    process.off('warning', listen);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });
});
