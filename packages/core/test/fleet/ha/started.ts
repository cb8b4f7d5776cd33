import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { onEnd } from '../../faults/runner/clean-up.ts';
import { programEnv } from '../../faults/runner/program.ts';

/** A program of the cluster that runs until it is killed. */
export class Started {
  readonly #child: ChildProcess;
  readonly #off: () => void;

  /** Its output goes to the end of the log. */
  constructor([program, ...values]: readonly [string, ...string[]], folder: string, log: string) {
    const file = openSync(log, 'a');
    const env = { ...programEnv, HOME: folder, LC_ALL: 'C' };
    this.#child = spawn(program, values, { cwd: folder, env, stdio: ['ignore', file, file] });
    this.#off = onEnd(() => this.#child.kill('SIGKILL'));
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#off();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
