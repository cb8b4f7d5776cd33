import type { ErrorCode } from './error-code.ts';

/** The ids and values that an error's message speaks of: `{ run, channel, path, … }`. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

interface ErrorOptions {
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

let create: (code: ErrorCode, message: string, options: ErrorOptions) => HoldfastError;

/** The one error that Holdfast throws: a code for programs, a message that says the fact, the id and what to do next. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  /** The ids and values that the message speaks of. */
  readonly details: ErrorDetails;

  static {
    create = (code, message, options) => new HoldfastError(code, message, options);
    // Bundlers give a class that speaks of itself another name, which Node would print.
    Object.defineProperty(this, 'name', { value: 'HoldfastError' });
  }

  private constructor(code: ErrorCode, message: string, options: ErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'HoldfastError';
    this.code = code;
    this.details = Object.freeze({ ...options.details });
  }

  /** Tells by the code, not by the class, so that two copies of the package in one process agree. */
  static is<C extends ErrorCode>(value: unknown, code: C): value is HoldfastError & { readonly code: C };
  static is(value: unknown): value is HoldfastError;
  static is(value: unknown, code?: ErrorCode): boolean {
    if (!(value instanceof Error) || !('code' in value) || typeof value.code !== 'string') return false;
    return code === undefined ? value.code.startsWith('HOLDFAST_') : value.code === code;
  }
}

/** The only way to make a `HoldfastError`; users match them, they never build them. */
export function holdfastError(code: ErrorCode, message: string, options: ErrorOptions = {}): HoldfastError {
  return create(code, message, options);
}
