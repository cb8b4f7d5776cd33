import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bin } from '../program/own-package.ts';

/** What a worker of `dev` tells. */
export type WorkerMessage =
  | { readonly type: 'file'; readonly file: string }
  | { readonly type: 'ready'; readonly graphs: readonly string[] }
  /** The code cannot be loaded: it needs a change before it is worth trying again. */
  | { readonly type: 'error'; readonly message: string };

/** How a worker ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface WorkerOptions {
  readonly store: string;
  readonly files: readonly string[];
  readonly concurrency: string | undefined;
  readonly onMessage: (message: WorkerMessage) => void;
  /** A line that the user's code printed. */
  readonly onLine: (line: string) => void;
}

/** Steps in flight have this long when a file has changed; what is cut off then runs again. */
const drainMs = 2_000;

/** A process of its own for the user's code: it can be killed, and loads changed files anew. */
export class WorkerProcess {
  readonly ended: Promise<WorkerEnd>;
  readonly #child: ChildProcess;

  constructor({ store, files, concurrency, onMessage, onLine }: WorkerOptions) {
    const more = concurrency === undefined ? [] : ['--concurrency', concurrency];
    const args = [bin, 'dev-worker', ...more, '--store', store, ...files.flatMap((file) => ['-g', file])];
    // Not in the terminal's foreground group: Ctrl-C is for dev, which then tells its worker.
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
    this.#child.on('message', (message) => onMessage(message as WorkerMessage));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', onLine);
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Lets steps in flight finish, not for ever. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.send('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), drainMs + 3_000);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  static get drainMs(): number {
    return drainMs;
  }
}
