import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program and gives what it printed. */
export async function command(program: string, ...values: readonly string[]): Promise<string> {
  return (await execute(program, values)).stdout.trim();
}

/** The same at the end of a process, when nothing can be waited for; whatever it says. */
export function lastCommand(program: string, ...values: readonly string[]): void {
  try {
    execFileSync(program, values, { stdio: 'ignore' });
  } catch {
    // It was undone already, or cannot be.
  }
}
