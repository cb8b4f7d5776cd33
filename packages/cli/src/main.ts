import { runProgram } from './program/run-program.ts';

/** The entry point of the binary. */
export async function main(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2));
}
