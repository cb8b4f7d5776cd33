import { runProgram } from '../../src/program/run-program.ts';

/** What a command line printed, and how it ended. */
export interface Called {
  readonly code: number;
  readonly text: string;
}

/** Whether the streams are a terminal with colours. */
export interface CallOptions {
  readonly isTerminal: boolean;
}

type Write = typeof process.stdout.write;

/** How often somebody looks whether the command can be ended. */
const lookMs = 5;

/** Calls, and presses Ctrl-C once as soon as the command listens for it: whoever waits has begun to. */
export async function callUntilEnded(argv: readonly string[], options: CallOptions): Promise<Called> {
  const before = process.listenerCount('SIGINT');
  const timer = setInterval(() => {
    if (process.listenerCount('SIGINT') <= before) return;
    clearInterval(timer);
    process.emit('SIGINT', 'SIGINT');
  }, lookMs);
  try {
    return await call(argv, options);
  } finally {
    clearInterval(timer);
  }
}

/** Runs one command line in this process, which is many times faster than starting one. */
export async function call(argv: readonly string[], { isTerminal }: CallOptions): Promise<Called> {
  let text = '';
  const streams = [process.stdout, process.stderr];
  const before = streams.map((stream) => ({ stream, write: stream.write.bind(stream), isTTY: stream.isTTY }));
  const write: Write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  for (const stream of streams) Object.assign(stream, { write, isTTY: isTerminal });
  try {
    return { code: await runProgram(argv), text };
  } finally {
    for (const { stream, ...rest } of before) Object.assign(stream, rest);
    process.stdout.removeAllListeners('error');
  }
}
