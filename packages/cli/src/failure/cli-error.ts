import type { ExitCode } from './exit-code.ts';

/** An error that the user can fix: one line with the fact and what to do next. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** Like `HoldfastError.code`, for `--json`. */
  readonly code: string;

  private constructor(code: string, exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }

  /** The command line is wrong. */
  static usage(message: string, options?: ErrorOptions): CliError {
    return new CliError('USAGE', 2, message, options);
  }

  static notFound(message: string): CliError {
    return new CliError('NOT_FOUND', 4, message);
  }

  /** The request conflicts with what exists, and the user has to choose. */
  static conflict(message: string): CliError {
    return new CliError('CONFLICT', 5, message);
  }

  static failed(message: string, options?: ErrorOptions): CliError {
    return new CliError('FAILED', 1, message, options);
  }

  /** The user pressed Ctrl-C; nothing is printed. */
  static interrupted(): CliError {
    return new CliError('INTERRUPTED', 130, 'Interrupted.');
  }
}
