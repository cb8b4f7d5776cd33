import { type ErrorCode, errorCodes } from '../../errors/error-code.ts';
import { type ErrorDetails, HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';

/** An error as a journal keeps it: data, with the chain of its causes. */
export interface StoredError {
  readonly name: string;
  readonly message: string;
  /** Of a HoldfastError, or of a system error. */
  readonly code?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly stack?: string | undefined;
  readonly cause?: StoredError | undefined;
}

/** A chain of causes may be a circle. */
const maxCauses = 8;
/** What a person needs to find the line; the rest is the machinery underneath. */
const stackLines = 8;
const codes: ReadonlySet<string> = new Set(errorCodes);

/** The journal's form of whatever was thrown. */
export function storeError(thrown: unknown, depth = 0): StoredError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: messageOf(thrown) };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  return {
    name: thrown.name,
    message: thrown.message,
    ...(code !== undefined && { code }),
    ...(HoldfastError.is(thrown) && { details: plainDetails(thrown.details) }),
    ...(typeof thrown.stack === 'string' && { stack: stackOf(thrown.stack) }),
    ...(thrown.cause !== undefined && depth < maxCauses && { cause: storeError(thrown.cause, depth + 1) }),
  };
}

/** The error again: a HoldfastError where it was one, otherwise a plain error with the name it had. */
export function reviveError({ name, message, code, details, stack, cause }: StoredError): Error {
  const options = cause === undefined ? {} : { cause: reviveError(cause) };
  if (isCode(code)) return holdfastError(code, message, { details: details ?? {}, ...options });
  const error = new Error(message, options);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}

/** The error of a code that stands around what was thrown, with what was thrown as its cause; our own stay as they are. */
export function asHoldfastError(thrown: unknown, code: ErrorCode, what: string, details: ErrorDetails): HoldfastError {
  if (HoldfastError.is(thrown)) return thrown;
  return holdfastError(code, `${what} failed: ${messageOf(thrown)}`, { details, cause: thrown });
}

function isCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && codes.has(code);
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : `a value that is not an Error was thrown (${typeof thrown})`;
}

function stackOf(stack: string): string {
  return stack.split('\n', stackLines).join('\n');
}

/** Details are for programs: what cannot be stored is left out rather than lost with the whole error. */
function plainDetails(details: ErrorDetails): ErrorDetails {
  try {
    const copy = frozenCopy({ ...details });
    return isPlainObject(copy) ? copy : {};
  } catch {
    return {};
  }
}
