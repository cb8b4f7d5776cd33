import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WorkerOrders } from './line.ts';

/** A worker process, as those see it who break it. */
export class WorkerProcess {
  readonly life: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(life: number, child: ChildProcess) {
    this.life = life;
    this.#child = child;
    this.#ended = once(child, 'close');
  }

  /** Resolves when all of its engines work. */
  static async start(orders: WorkerOrders): Promise<WorkerProcess> {
    const root = import.meta.url.endsWith('.ts') ? '../dist/test/fleet/worker/' : 'worker/';
    const script = fileURLToPath(new URL(`${root}worker.js`, import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const started = new WorkerProcess(orders.life, child);
    await Promise.race([once(child.stdout, 'data'), started.#ended]);
    return started;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
