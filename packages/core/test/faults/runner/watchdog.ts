import { Worker } from 'node:worker_threads';

/** What takes longer hangs, however busy the machine is: nothing that is tried takes a second. */
const patienceMs = 600_000;

/** In a thread of its own, since the one that hangs hears nothing; of text, since it is bundled with nothing. */
const code = `
const { parentPort } = require('node:worker_threads');
let timer;
parentPort.on('message', (what) => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    require('node:fs').writeSync(2, 'It hangs: ' + what);
    process.kill(process.pid, 'SIGKILL');
  }, ${patienceMs});
});`;

/** Kills the process, and says what it was at, when it stands still for too long. */
export class Watchdog {
  readonly #worker: Worker = new Worker(code, { eval: true });

  constructor() {
    this.#worker.unref();
  }

  /** Something else begins. */
  see(what: string): void {
    this.#worker.postMessage(what, []);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
