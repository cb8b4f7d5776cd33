// Every error of core, for tests of packages that reach core by its public names alone.
import { type ErrorCode, errorCodes } from '../packages/core/src/errors/error-code.ts';
import { holdfastError } from '../packages/core/src/errors/holdfast-error.ts';

export { errorCodes };

/** An error with this code. */
export function errorOf(code: ErrorCode, message: string): Error {
  return holdfastError(code, message, { details: {} });
}
