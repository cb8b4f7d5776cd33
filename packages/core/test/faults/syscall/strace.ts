import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { builtScript } from '../runner/built-script.ts';
import { onEnd } from '../runner/clean-up.ts';
import { programEnv } from '../runner/program.ts';
import { type AnyLine, LineReader } from '../workload/line.ts';
import type { ScriptOrders } from '../workload/script.ts';

interface TraceOptions {
  readonly orders: ScriptOrders;
  /** Where strace writes. */
  readonly log: string;
  /** What it is told besides. */
  readonly options: readonly string[];
  /** Whether a signal is injected: strace forgets to when it lets calls pass that it does not trace. */
  readonly kills: boolean;
}

/** A run of the script under strace. */
export interface TracedRun {
  readonly lines: readonly AnyLine[];
  readonly trace: string;
  readonly errors: string;
  /** Whether the script was killed. */
  readonly killed: boolean;
}

/** Runs the script under strace. One thread does the work of the pool, so that calls come in the same order each time. */
export async function traceScript({ orders, log, options, kills }: TraceOptions): Promise<TracedRun> {
  const script = [process.execPath, builtScript('workload/script'), JSON.stringify(orders)];
  const fast = kills ? [] : ['--seccomp-bpf'];
  const child = spawn('strace', ['-f', ...fast, '-qq', '-y', '-o', log, ...options, '--', ...script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnv, UV_THREADPOOL_SIZE: '1' },
    detached: true,
  });
  // What strace traces outlives it, so that both are ended together.
  const forget = onEnd(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  const reader = new LineReader();
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => reader.add(chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2_000);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  forget();
  return {
    lines: reader.lines,
    trace: await readFile(log, 'utf8'),
    errors,
    killed: signal === 'SIGKILL' || code === 137,
  };
}
