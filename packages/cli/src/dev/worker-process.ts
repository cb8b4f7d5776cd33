import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bin } from '../program/own-package.ts';

/** Messages from a worker to `dev`. */
export type WorkerMessage =
  | { readonly type: 'file'; readonly file: string }
  | { readonly type: 'ready'; readonly graphs: readonly string[] }
  /** The code cannot be loaded; retrying makes no sense until a file changes. */
  | { readonly type: 'error'; readonly message: string };

/** How a worker exited. */
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

/** How long steps in flight may take after a file change. A step that is cut off runs again. */
const drainMs = 2_000;

/** Runs the user's code in its own process, so it can be killed and can load changed files. */
export class WorkerProcess {
  readonly ended: Promise<WorkerEnd>;
  readonly #child: ChildProcess;

  constructor({ store, files, concurrency, onMessage, onLine }: WorkerOptions) {
    const more = concurrency === undefined ? [] : ['--concurrency', concurrency];
    const args = [bin, 'dev-worker', ...more, ...files.flatMap((file) => ['-g', file])];
    // Outside the terminal's foreground group: Ctrl-C goes to `dev`, which then stops its worker.
    this.#child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      // Not in the arguments, which every user of the machine can list: there may be a password in it.
      env: { ...process.env, HOLDFAST_STORE: store },
    });
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

  /** Lets the steps in flight finish, within a time limit. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.send('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), drainMs + 3_000);
    await this.ended;
    clearTimeout(timer);
  }

  /** Kills it. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  static get drainMs(): number {
    return drainMs;
  }
}
