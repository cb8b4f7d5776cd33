import { holdfastError } from '../errors/holdfast-error.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import { isCount as fitsRecord } from '../value/data-shape.ts';
import type { CompiledPolicy, CompiledRetry } from './compile/compiled-graph.ts';
import { type Complain, complainOfUnknown } from './compile/problem.ts';
import { isOptions } from './draft/is-options.ts';

/**
 * Retries and timeout.
 *
 * @example
 * ```ts
 * const patient: Policy = { retry: { attempts: 5, backoff: '1s', maxBackoff: '1m' }, timeout: '30s' };
 * ```
 */
export interface Policy {
  /** A number is the total number of attempts: `retry: 3` is `retry: { attempts: 3 }`. */
  readonly retry?:
    | number
    | {
        /** The total number of attempts, including the first. */
        readonly attempts: number;
        /** The wait after the first attempt. Default: 100 ms. */
        readonly backoff?: Duration | undefined;
        /** The longest wait. Default: one hour, or `backoff` if that is longer. */
        readonly maxBackoff?: Duration | undefined;
        /** The factor by which each wait grows. Default: 2. */
        readonly factor?: number | undefined;
        /** False: permanent. A duration: retry after exactly that (a server's Retry-After). */
        readonly on?: ((error: unknown) => boolean | Duration) | undefined;
      }
    | undefined;
  readonly timeout?: Duration | undefined;
}

/**
 * The policy of a step. A step may be an effect that must not happen twice.
 *
 * @example
 * ```ts
 * const charge: StepPolicy = { effect: 'once', retry: 3, timeout: '30s' };
 * ```
 */
export interface StepPolicy extends Policy {
  /**
   * 'repeatable' (default): may run again after a crash in the middle of it. 'once': an intent is journalled first. A
   * crash or a timeout in the middle leaves an unknown outcome, which `run.settle` resolves.
   */
  readonly effect?: 'repeatable' | 'once' | undefined;
}

/** The keys of a policy, for options that extend it. */
export const policyKeys: readonly string[] = ['retry', 'timeout'];

const retryKeys = ['attempts', 'backoff', 'maxBackoff', 'factor', 'on'];
const noPolicy: CompiledPolicy = Object.freeze({ retry: undefined, timeoutMs: undefined });
/** The values of `effect`. */
export const effects: readonly unknown[] = [undefined, 'repeatable', 'once'];
/** What `effect` must be, for messages. */
export const effectRule = `"effect" must be 'repeatable' or 'once'.`;
const always = (): boolean => true;

/**
 * Parses the policy of a step. `where` names the step in messages: `step "charge"`.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function compilePolicy(policy: StepPolicy | undefined, where: string): CompiledPolicy {
  if (policy === undefined) return noPolicy;
  const problems: string[] = [];
  const complain = (what: string): unknown => problems.push(what);
  const compiled = readPolicy(policy, { where, complain });
  if (isOptions(policy)) {
    complainOfUnknown(policy, { of: 'It', known: [...policyKeys, 'effect'], complain });
    if (!effects.includes(policy['effect'])) complain(effectRule);
  }
  if (problems.length === 0) return compiled;
  throw holdfastError('HOLDFAST_INVALID_OPTION', `Invalid policy of ${where}: ${problems.join(' ')}`, {
    details: { where, problems },
  });
}

/** Whose policy is parsed, and where problems are reported. */
interface PolicyReader {
  readonly where: string;
  readonly complain: Complain;
}

/** Parses a policy and reports every problem. Other keys belong to the caller. */
export function readPolicy(policy: unknown, reader: PolicyReader): CompiledPolicy {
  if (policy === undefined) return noPolicy;
  if (!isOptions(policy)) {
    reader.complain("The policy is not an object. Pass one such as { retry: 3, timeout: '30s' }.");
    return noPolicy;
  }
  const timeoutMs = readDuration(policy['timeout'], 'timeout', reader.complain);
  if (timeoutMs === 0) reader.complain('"timeout" must be longer than 0. Omit it for no timeout.');
  return { retry: readRetry(policy['retry'], reader), timeoutMs };
}

function readRetry(given: unknown, { where, complain }: PolicyReader): CompiledRetry | undefined {
  if (given === undefined) return undefined;
  const retry = typeof given === 'number' ? { attempts: given } : given;
  if (!isOptions(retry)) {
    complain('"retry" must be a number of attempts such as 3, or an object such as { attempts: 3, backoff: \'1s\' }.');
    return undefined;
  }
  complainOfUnknown(retry, { of: '"retry"', known: retryKeys, complain });
  const { attempts, backoff, maxBackoff, factor = 2, on } = retry;
  if (!isCount(attempts)) {
    const option = retry === given ? 'retry.attempts' : 'retry';
    complain(`"${option}" must be an integer of at least 1: the total number of attempts.`);
  }
  if (typeof factor !== 'number' || !(factor >= 1 && factor < Number.POSITIVE_INFINITY))
    complain('"retry.factor" must be a number of at least 1.');
  if (on !== undefined && typeof on !== 'function')
    complain('"retry.on" must be a function that takes the error and returns true, false or a duration.');
  return {
    attempts: attempts as number,
    backoffMs: readDuration(backoff, 'retry.backoff', complain) ?? 100,
    maxBackoffMs: readDuration(maxBackoff, 'retry.maxBackoff', complain),
    factor: factor as number,
    on: typeof on === 'function' ? asking(on as (error: unknown) => unknown, where) : always,
  };
}

/** Whether this is an integer of at least 1 that a record can hold. */
export function isCount(value: unknown): value is number {
  return fitsRecord(value) && (value as number) >= 1;
}

/** Whether this is an integer of at least 1, or `Infinity` for no limit. */
export function isLimit(value: unknown): value is number {
  return value === Number.POSITIVE_INFINITY || isCount(value);
}

/** What a limit must be, for messages. */
export const limitRule = 'must be an integer from 1 to 2 ** 52, or Infinity';

function readDuration(value: unknown, option: string, complain: Complain): number | undefined {
  if (value === undefined) return undefined;
  try {
    return durationMs(value);
  } catch (error) {
    complain(`"${option}": ${(error as Error).message}`);
    return undefined;
  }
}

/** Wraps the user's `on` and checks its result: any other value would silently mean "do not retry". */
function asking(on: (error: unknown) => unknown, where: string): (error: unknown) => boolean | number {
  return (error) => {
    const answer = on(error);
    if (typeof answer === 'boolean') return answer;
    try {
      return durationMs(answer);
    } catch (cause) {
      throw holdfastError(
        'HOLDFAST_INVALID_OPTION',
        `"retry.on" of ${where} must return true, false or a duration. ${(cause as Error).message}`,
        { details: { where }, cause },
      );
    }
  };
}
