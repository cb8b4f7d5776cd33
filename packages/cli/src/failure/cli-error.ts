import type { ExitCode } from './exit-code.ts';

/** Something that the person at the command line can mend: one line that says the fact and what to do next. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** As `HoldfastError.code`, for `--json`. */
  readonly code: string;

  private constructor(code: string, exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }

  /** The command was not written as it has to be. */
  static usage(message: string, options?: ErrorOptions): CliError {
    return new CliError('USAGE', 2, message, options);
  }

  static notFound(message: string): CliError {
    return new CliError('NOT_FOUND', 4, message);
  }

  /** Two things stand against each other, and somebody has to choose. */
  static conflict(message: string): CliError {
    return new CliError('CONFLICT', 5, message);
  }

  static failed(message: string, options?: ErrorOptions): CliError {
    return new CliError('FAILED', 1, message, options);
  }

  /** A signal ended it; nobody needs to be told more. */
  static interrupted(): CliError {
    return new CliError('INTERRUPTED', 130, 'Interrupted.');
  }
}
