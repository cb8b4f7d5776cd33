import { describe, expect, test } from 'vitest';
import { compilePolicy, type StepPolicy } from './policy.ts';

const compile = (policy: unknown): ReturnType<typeof compilePolicy> =>
  compilePolicy(policy as StepPolicy, 'step "charge"');

const fail = (): never => {
  throw new RangeError('mine');
};

describe('compilePolicy()', () => {
  test('defaults to one attempt without a timeout', () => {
    expect(compile(undefined)).toEqual({ retry: undefined, timeoutMs: undefined });
    expect(compile({})).toEqual({ retry: undefined, timeoutMs: undefined });
    expect(compile({ retry: undefined, timeout: undefined, effect: undefined })).toEqual(compile({}));
  });

  test('fills in the backoff and its factor', () => {
    expect(compile({ retry: { attempts: 3 } }).retry).toMatchObject({ attempts: 3, backoffMs: 100, factor: 2 });
    expect(compile({ retry: 3 }).retry).toMatchObject({ attempts: 3, backoffMs: 100, factor: 2 });
    expect(compile({ retry: { attempts: 3, maxBackoff: '1m' } }).retry).toMatchObject({ maxBackoffMs: 60_000 });
  });

  test('gives milliseconds', () => {
    const { retry, timeoutMs } = compile({
      retry: { attempts: 1, backoff: '1.5s', factor: 1 },
      timeout: '2m',
      effect: 'once',
    });
    expect(retry).toMatchObject({ attempts: 1, backoffMs: 1500, factor: 1 });
    expect(timeoutMs).toBe(120_000);
  });

  test('retries every error by default', () => {
    expect(compile({ retry: { attempts: 2 } }).retry?.on(new Error('x'))).toBe(true);
  });

  test.each([
    [true, true],
    [false, false],
    [0, 0],
    [250, 250],
    ['2s', 2000],
  ])('reads %o from retry.on as %o', (answer, expected) => {
    const errors: unknown[] = [];
    const on = (error: unknown): unknown => {
      errors.push(error);
      return answer;
    };
    const error = new Error('x');
    expect(compile({ retry: { attempts: 2, on } }).retry?.on(error)).toBe(expected);
    expect(errors).toEqual([error]);
  });

  test.each([undefined, null, 'soon', -1, Number.NaN, Promise.resolve(true)])('refuses %o from retry.on', (answer) => {
    const { retry } = compile({ retry: { attempts: 2, on: () => answer } });
    expect(() => retry?.on(new Error('x'))).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_OPTION',
        message: expect.stringContaining('"retry.on" of step "charge" must return true, false or a duration'),
      }),
    );
  });

  test('passes on errors of retry.on', () => {
    const { retry } = compile({ retry: { attempts: 2, on: fail } });
    expect(() => retry?.on(1)).toThrow(RangeError);
  });

  test.each([
    [null, 'The policy is not an object'],
    ['often', 'The policy is not an object'],
    [[], 'The policy is not an object'],
    [{ retries: 3 }, 'It has no option "retries". Known options: retry, timeout, effect.'],
    [{ effect: 'twice' }, `"effect" must be 'repeatable' or 'once'`],
    [{ timeout: 'soon' }, '"timeout": Invalid duration: "soon"'],
    [{ timeout: -1 }, '"timeout": Invalid duration: -1'],
    [{ timeout: 0 }, '"timeout" must be longer than 0'],
    [{ timeout: Symbol('x') }, '"timeout": Invalid duration: symbol'],
    [{ retry: 'often' }, '"retry" must be a number of attempts such as 3, or an object'],
    [{ retry: 0 }, '"retry" must be an integer of at least 1'],
    [{ retry: { attempts: 1, maxBackoff: '1y' } }, '"retry.maxBackoff": Invalid duration: "1y"'],
    [{ retry: {} }, '"retry.attempts" must be an integer of at least 1'],
    [{ retry: { attempts: 0 } }, '"retry.attempts" must be an integer of at least 1'],
    [{ retry: { attempts: 1.5 } }, '"retry.attempts" must be an integer of at least 1'],
    [{ retry: { attempts: 1n } }, '"retry.attempts" must be an integer of at least 1'],
    [{ retry: { attempts: Number.POSITIVE_INFINITY } }, '"retry.attempts" must be an integer of at least 1'],
    [{ retry: { attempts: 1, factor: 0.5 } }, '"retry.factor" must be a number of at least 1'],
    [{ retry: { attempts: 1, factor: Number.NaN } }, '"retry.factor" must be a number of at least 1'],
    [{ retry: { attempts: 1, factor: Number.POSITIVE_INFINITY } }, '"retry.factor" must be a number of at least 1'],
    [{ retry: { attempts: 1, backoff: '1y' } }, '"retry.backoff": Invalid duration: "1y"'],
    [{ retry: { attempts: 1, on: true } }, '"retry.on" must be a function'],
    [
      { retry: { attempts: 1, wait: 5 } },
      '"retry" has no option "wait". Known options: attempts, backoff, maxBackoff, factor, on.',
    ],
  ])('refuses %o', (policy, message) => {
    expect(() => compile(policy)).toThrow(message);
    expect(() => compile(policy)).toThrow('Invalid policy of step "charge": ');
    expect(() => compile(policy)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('reports every problem at once', () => {
    expect(() => compile({ retry: { attempts: 0, factor: 0 }, timeout: 'x', effect: 1 })).toThrow(
      expect.objectContaining({
        details: { where: 'step "charge"', problems: Array.from({ length: 4 }, () => expect.any(String) as unknown) },
      }),
    );
  });
});
