import { HoldfastError } from '../../../src/errors/holdfast-error.ts';
import { reason } from '../../../src/store/store-fault.ts';
import type { Line } from './line.ts';

/** What a failed call of a store says of itself. */
export function failureLine(during: string, error: unknown): Line & { readonly type: 'fault' } {
  const details = HoldfastError.is(error) ? error.details : {};
  return {
    type: 'fault',
    during,
    code: HoldfastError.is(error) ? error.code : 'none',
    effect: details['effect'] === 'none' ? 'none' : 'unknown',
    poisoned: details['poisoned'] === true,
    message: reason(error),
  };
}
