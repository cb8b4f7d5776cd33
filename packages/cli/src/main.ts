import { runProgram } from './program/run-program.ts';

/** What the bin calls. */
export async function main(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2));
}
