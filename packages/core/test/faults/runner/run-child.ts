import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AnyLine, LineReader } from '../workload/line.ts';
import { builtScript } from './built-script.ts';

/** What a child said until it ended. */
export interface ChildRun {
  readonly lines: readonly AnyLine[];
  readonly errors: string;
}

/** Runs one of our scripts to its end. */
export async function runChild(script: string, orders: unknown): Promise<ChildRun> {
  const child = spawn(process.execPath, [builtScript(script), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const reader = new LineReader();
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => reader.add(chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2_000);
  });
  await once(child, 'close');
  return { lines: reader.lines, errors };
}
