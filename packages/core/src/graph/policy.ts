import { holdfastError } from '../errors/holdfast-error.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import type { CompiledPolicy, CompiledRetry } from './compile/compiled-graph.ts';
import { type Complain, complainOfUnknown } from './compile/problem.ts';
import { isOptions } from './draft/is-options.ts';

/** How often something is tried, and how long it may take. */
export interface Policy {
  readonly retry?:
    | {
        /** Tries in all, the first one included. */
        readonly attempts: number;
        /** The wait after the first try; default 100 ms. */
        readonly backoff?: Duration | undefined;
        /** How much longer each wait is than the one before; default 2. */
        readonly factor?: number | undefined;
        /** False: permanent. A duration: try again after exactly that (a server's Retry-After). */
        readonly on?: ((error: unknown) => boolean | Duration) | undefined;
      }
    | undefined;
  readonly timeout?: Duration | undefined;
}

/** The policy of a step: a step can be an effect that must not happen twice. */
export interface StepPolicy extends Policy {
  /**
   * 'repeatable' (default): may run again after a crash in the middle of it. 'once': an intent is journalled first; a
   * crash or a timeout in the middle leaves an effect of unknown outcome that a person or `resolve` settles.
   */
  readonly effect?: 'repeatable' | 'once' | undefined;
}

/** The keys of a policy, for those that have more. */
export const policyKeys: readonly string[] = ['retry', 'timeout'];

const retryKeys = ['attempts', 'backoff', 'factor', 'on'];
const noPolicy: CompiledPolicy = Object.freeze({ retry: undefined, timeoutMs: undefined });
const effects: readonly unknown[] = [undefined, 'repeatable', 'once'];
const always = (): boolean => true;

/**
 * Makes the policy of a step ready; `where` is whose it is, as messages say it: `step "charge"`.
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
    if (!effects.includes(policy['effect'])) complain(`"effect" has to be 'repeatable' or 'once'.`);
  }
  if (problems.length === 0) return compiled;
  throw holdfastError('HOLDFAST_INVALID_OPTION', `The policy of ${where}: ${problems.join(' ')}`, {
    details: { where, problems },
  });
}

/** Whose policy is read, and who is told what is wrong with it. */
interface PolicyReader {
  readonly where: string;
  readonly complain: Complain;
}

/** Makes ready what was given as a policy and complains of all that is wrong with it. Other keys are the caller's. */
export function readPolicy(policy: unknown, reader: PolicyReader): CompiledPolicy {
  if (policy === undefined) return noPolicy;
  if (!isOptions(policy)) {
    reader.complain("The policy is no object. Pass an object such as { retry: { attempts: 3 }, timeout: '30s' }.");
    return noPolicy;
  }
  const timeoutMs = readDuration(policy['timeout'], 'timeout', reader.complain);
  if (timeoutMs === 0) reader.complain('A timeout of 0 leaves no time at all. Give a longer one, or none.');
  return { retry: readRetry(policy['retry'], reader), timeoutMs };
}

function readRetry(retry: unknown, { where, complain }: PolicyReader): CompiledRetry | undefined {
  if (retry === undefined) return undefined;
  if (!isOptions(retry)) {
    complain('"retry" is no object. Pass an object such as { attempts: 3 }.');
    return undefined;
  }
  complainOfUnknown(retry, { of: '"retry"', known: retryKeys, complain });
  const { attempts, backoff, factor = 2, on } = retry;
  if (!isCount(attempts)) complain('"retry.attempts" has to be a whole number from 1 on: the tries in all.');
  if (typeof factor !== 'number' || !(factor >= 1 && factor < Number.POSITIVE_INFINITY))
    complain('"retry.factor" has to be a number from 1 on.');
  if (on !== undefined && typeof on !== 'function')
    complain('"retry.on" has to be a function of the error that gives true, false or a duration.');
  return {
    attempts: attempts as number,
    backoffMs: readDuration(backoff, 'retry.backoff', complain) ?? 100,
    factor: factor as number,
    on: typeof on === 'function' ? asking(on as (error: unknown) => unknown, where) : always,
  };
}

/** Whether this is a whole number from 1 on. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function readDuration(value: unknown, option: string, complain: Complain): number | undefined {
  if (value === undefined) return undefined;
  try {
    return durationMs(value);
  } catch (error) {
    complain(`"${option}": ${(error as Error).message}`);
    return undefined;
  }
}

/** The user's `on`, with its answer checked: an answer that is neither would be taken for "do not try again". */
function asking(on: (error: unknown) => unknown, where: string): (error: unknown) => boolean | number {
  return (error) => {
    const answer = on(error);
    if (typeof answer === 'boolean') return answer;
    try {
      return durationMs(answer);
    } catch (cause) {
      throw holdfastError(
        'HOLDFAST_INVALID_OPTION',
        `"retry.on" of ${where} has to give true, false or a duration. ${(cause as Error).message}`,
        { details: { where }, cause },
      );
    }
  };
}
