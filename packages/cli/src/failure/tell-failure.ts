import type { Output } from '../output/output.ts';
import { oneLine } from '../output/printable.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodeOfError } from './exit-code.ts';

/** Prints an error in one line, or with its stack, and returns the exit code. */
export function tellFailure(out: Output, error: unknown, { debug }: { readonly debug: boolean }): ExitCode {
  const { code, exitCode } = judge(error);
  if (exitCode === 130 || exitCode === 143) return exitCode;
  const message = oneLine(error instanceof Error ? error.message : String(error));
  if (out.mode === 'human') {
    const shown = code.startsWith('HOLDFAST_') ? ` ${out.notePaint.dim(`(${code})`)}` : '';
    out.note(`${out.notePaint.red('holdfast:')} ${message}${shown}`);
  } else {
    out.note(JSON.stringify({ schema: 'holdfast.error/1', code, message, exitCode }));
  }
  if (debug) out.notes(`${error instanceof Error ? stackOf(error) : String(error)}\n`);
  return exitCode;
}

function judge(error: unknown): { readonly code: string; readonly exitCode: ExitCode } {
  if (error instanceof CliError) return error;
  // Check the code, not the class: a command that does not need the library must not load it.
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code.startsWith('HOLDFAST_')) return { code, exitCode: exitCodeOfError(code) };
  return { code: 'FAILED', exitCode: 1 };
}

function stackOf(error: Error): string {
  const stack = error.stack ?? String(error);
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
