import type { ErrorCode } from './error-code.ts';
import type { ErrorDetails } from './error-details.ts';
import { plainFields } from './plain-fields.ts';

interface ErrorOptions {
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

interface TypedOptions<C extends ErrorCode> {
  readonly details?: ErrorDetails<C> | undefined;
  readonly cause?: unknown;
}

/** An error as JSON: its message, its code and its plain fields if it has any, and the chain of its causes. */
export interface ErrorJson {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** A chain of causes can be cyclic. */
const maxCauses = 8;

let create: (code: ErrorCode, message: string, options: ErrorOptions) => HoldfastError;

/**
 * The only error that Holdfast throws: a `code` for programs, and a message that says what happened and what to do next.
 *
 * @example
 * ```ts
 * try {
 *   await run.answer('approval', true);
 * } catch (error) {
 *   if (!HoldfastError.is(error, 'HOLDFAST_ALREADY_ANSWERED')) throw error;
 *   console.log(`${error.details.by} was faster.`);
 * }
 * ```
 */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  /** The ids and values behind the message. */
  readonly details: ErrorDetails;

  static {
    create = (code, message, options) => new HoldfastError(code, message, options);
    // Bundlers rename a class that refers to itself, and Node would print that name.
    Object.defineProperty(this, 'name', { value: 'HoldfastError' });
  }

  private constructor(code: ErrorCode, message: string, options: ErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'HoldfastError';
    this.code = code;
    this.details = Object.freeze({ ...options.details });
  }

  /** What JSON.stringify keeps: without it, an error would lose its message and its causes. */
  toJSON(): ErrorJson {
    const { name, code, message, details, cause } = this;
    return { name, code, message, details, ...(cause !== undefined && { cause: causeJson(cause, 1) }) };
  }

  /**
   * Checks the code, not the class, so it also works with two copies of the package in one process. With a code, `details`
   * has the fields of that code.
   */
  static is<C extends ErrorCode>(
    value: unknown,
    code: C,
  ): value is HoldfastError & { readonly code: C; readonly details: ErrorDetails<C> };
  static is(value: unknown): value is HoldfastError;
  static is(value: unknown, code?: ErrorCode): boolean {
    if (!(value instanceof Error) || !('code' in value) || typeof value.code !== 'string') return false;
    return code === undefined ? value.code.startsWith('HOLDFAST_') : value.code === code;
  }
}

function causeJson(cause: unknown, depth: number): unknown {
  // Anything can be thrown, also what JSON cannot hold.
  if (!(cause instanceof Error)) return String(cause);
  const { name, message } = cause;
  const details = HoldfastError.is(cause) && { details: cause.details };
  const inner = cause.cause !== undefined && depth < maxCauses && { cause: causeJson(cause.cause, depth + 1) };
  return { name, message, ...plainFields(cause), ...details, ...inner };
}

/** Creates a `HoldfastError`. Internal: users match errors, they never create them. */
export function holdfastError<C extends ErrorCode>(
  code: C,
  message: string,
  options: TypedOptions<C> = {},
): HoldfastError {
  return create(code, message, options);
}
