import { type ErrorCode, errorCodes } from '../../errors/error-code.ts';
import type { ErrorDetails } from '../../errors/error-details.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { type PlainField, plainFields } from '../../errors/plain-fields.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { ownFacts } from '../../value/frozen/own.ts';

/** An error in the journal: plain data, with the chain of its causes. */
export interface StoredError {
  readonly name: string;
  readonly message: string;
  /** Of a HoldfastError, or of a system error. */
  readonly code?: string | undefined;
  /** The other plain fields that someone's code gave it: `status`. */
  readonly fields?: Readonly<Record<string, PlainField>> | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly stack?: string | undefined;
  readonly cause?: StoredError | undefined;
}

/** A chain of causes can be cyclic. */
const maxCauses = 8;
/** The longest text of an error, in characters. An error is kept with its run for good, and errors quote what failed. */
const maxText = 16 * 1024;
/** The largest details of an error, in bytes. */
const maxDetailsBytes = 64 * 1024;
/** A detail that stays when others have to go. */
const smallBytes = 1024;
/** Enough frames to find the line. */
const stackLines = 8;
const codes: ReadonlySet<string> = new Set(errorCodes);

/** Said of an error whose getters throw, and of a proxy whose traps do. */
const unreadable = 'an error that cannot be read';

/** Converts a thrown value for the journal. Code may throw anything, and the run has to fail with it all the same. */
export function storeError(thrown: unknown, depth = 0): StoredError {
  try {
    return readError(thrown, depth);
  } catch {
    return { name: 'Error', message: unreadable };
  }
}

function readError(thrown: unknown, depth: number): StoredError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: messageOf(thrown) };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? clipped(thrown.code) : undefined;
  const fields = HoldfastError.is(thrown) ? undefined : fieldsOf(thrown, code !== undefined);
  return {
    name: clipped(thrown.name),
    message: clipped(thrown.message),
    ...(code !== undefined && { code }),
    ...(fields !== undefined && { fields }),
    ...(HoldfastError.is(thrown) && { details: plainDetails(thrown.details) }),
    ...(typeof thrown.stack === 'string' && { stack: stackOf(thrown.stack) }),
    ...(thrown.cause !== undefined && depth < maxCauses && { cause: storeError(thrown.cause, depth + 1) }),
  };
}

/** What was thrown, or an error in its place if nobody can look at it: a revoked proxy throws at every look. */
export function inspectable(thrown: unknown): unknown {
  try {
    readError(thrown, 0);
    return thrown;
  } catch {
    return new Error(unreadable);
  }
}

/** Restores the error: a HoldfastError if it was one, otherwise a plain error with the original name and plain fields. */
export function reviveError({ name, message, code, fields, details, stack, cause }: StoredError): Error {
  const options = cause === undefined ? {} : { cause: reviveError(cause) };
  if (isCode(code)) return holdfastError(code, message, { details: details ?? {}, ...options });
  const error = new Error(message, options);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  // An import may hold anything.
  return Object.assign(error, fields && plainFields(fields), code !== undefined && { code });
}

/** Wraps a thrown value in an error with a code. Holdfast errors are returned unchanged. */
export function asHoldfastError<C extends ErrorCode>(
  caught: unknown,
  code: C,
  what: string,
  details: ErrorDetails<C>,
): HoldfastError {
  const thrown = inspectable(caught);
  if (HoldfastError.is(thrown)) return thrown;
  return holdfastError(code, `${what} failed: ${messageOf(thrown)}`, { details, cause: thrown });
}

function isCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && codes.has(code);
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return clipped(thrown.message);
  return typeof thrown === 'string' ? clipped(thrown) : `a value that is not an Error was thrown (${typeof thrown})`;
}

function fieldsOf(error: Error, hasCode: boolean): StoredError['fields'] {
  const { code, ...fields } = plainFields(error);
  const kept = hasCode || code === undefined ? fields : { code, ...fields };
  const entries = Object.entries(kept);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? clipped(value) : value]));
}

function stackOf(stack: string): string {
  return clipped(
    stack
      .slice(0, 4 * maxText)
      .split('\n', stackLines)
      .join('\n'),
  );
}

/** Anyone may have set the message of an error to anything. */
function clipped(given: unknown): string {
  const text = typeof given === 'string' ? given : typeof given;
  return text.length <= maxText ? text : `${text.slice(0, maxText)}… (${text.length - maxText} more characters)`;
}

/** Leaves out details that cannot be stored or are too large, so that the rest of the error is kept. */
function plainDetails(details: ErrorDetails): ErrorDetails {
  const kept = storableDetails(details);
  if (kept !== undefined) return kept;
  // One large field must not cost the others.
  const fields = Object.entries(details).filter(([name, value]) => storableDetails({ [name]: value }, smallBytes));
  return storableDetails(Object.fromEntries(fields)) ?? {};
}

function storableDetails(details: ErrorDetails, maxBytes: number = maxDetailsBytes): ErrorDetails | undefined {
  try {
    const copy = frozenCopy({ ...details });
    return (ownFacts(copy)?.size ?? 0) <= maxBytes ? copy : undefined;
  } catch {
    return undefined;
  }
}
