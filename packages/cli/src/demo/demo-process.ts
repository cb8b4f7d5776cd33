import { type ChildProcess, spawn } from 'node:child_process';
import { bin } from '../program/own-package.ts';
import type { Trace } from './support-agent.ts';

/** `first` starts the runs and is killed, `second` continues them, `watched` hangs in the middle of one until it is killed. */
export type DemoLife = 'first' | 'second' | 'watched';

/** A worker of the demo, in its own process. */
export class DemoProcess {
  readonly traces: Trace[] = [];
  /** How it exited: a signal, or its exit code. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  constructor(options: {
    readonly life: DemoLife;
    readonly store: string;
    readonly onTrace: (trace: Trace) => void;
  }) {
    const args = [bin, 'demo-worker', options.life, '--store', options.store];
    // Outside the terminal's foreground group: Ctrl-C goes to the demo, which then stops its worker.
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true });
    this.#child.on('message', (message) => {
      this.traces.push(message as Trace);
      options.onTrace(message as Trace);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.send('stop');
    await this.ended;
  }
}
