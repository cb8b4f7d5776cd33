import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { programEnv } from './program.ts';

const execute = promisify(execFile);

/** Runs a program and gives what it printed. */
export async function command(program: string, ...values: readonly string[]): Promise<string> {
  return (await execute(program, values, { env: programEnv })).stdout.trim();
}

/** The same while the process stands still. */
export function commandAtOnce(program: string, ...values: readonly string[]): string {
  return execFileSync(program, values, { env: programEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** The same at the end of a process, when nothing can be waited for; whatever it says. */
export function lastCommand(program: string, ...values: readonly string[]): void {
  try {
    execFileSync(program, values, { env: programEnv, stdio: 'ignore' });
  } catch {
    // It was undone already, or cannot be.
  }
}
