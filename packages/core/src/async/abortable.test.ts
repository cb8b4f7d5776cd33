import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { abortable } from './abortable.ts';

const never = new Promise<never>(() => {});

describe('abortable()', () => {
  test('is the promise itself without a signal', () => {
    const promise = Promise.resolve(1);
    expect(abortable(promise)).toBe(promise);
  });

  test('settles like the promise and removes its listener', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('rejects with the reason as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = abortable(never, controller.signal);
    const reason = { any: 'value' };
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('rejects at once when the signal has aborted before', async () => {
    await expect(abortable(Promise.resolve(1), AbortSignal.abort('gone'))).rejects.toBe('gone');
  });

  test('leaves no rejection unhandled when the promise fails after the abort', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    await expect(abortable(Promise.reject(new Error('late')), AbortSignal.abort('gone'))).rejects.toBe('gone');
    await new Promise(setImmediate);
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});
