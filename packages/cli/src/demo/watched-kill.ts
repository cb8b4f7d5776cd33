import { EventEmitter, once } from 'node:events';
import { DemoProcess } from './demo-process.ts';
import { fatalCall } from './demo-runs.ts';

/** A worker in the middle of a call that never ends, for people to kill while they watch the studio. */
export class WatchedKill {
  /** True as soon as the worker is in the middle of the call; false if it had nothing to do: the run is further than that. */
  readonly ready: Promise<boolean>;
  readonly #worker: DemoProcess;

  constructor(store: string) {
    const reached = new EventEmitter<{ call: [] }>();
    const inCall = once(reached, 'call').then(() => true);
    this.#worker = new DemoProcess({
      life: 'watched',
      store,
      onTrace: ({ call, how }) => {
        if (call === fatalCall.call && how === 'begun') reached.emit('call');
      },
    });
    this.ready = Promise.race([inCall, this.#worker.ended.then(() => false)]);
  }

  get pid(): number | undefined {
    return this.#worker.pid;
  }

  /** Kills the worker as soon as somebody presses Enter. */
  onEnter(input: NodeJS.ReadStream, killed: () => void): void {
    input.once('data', () => {
      input.pause();
      this.#worker.kill();
      killed();
    });
  }

  /** Ends it with the demo, whether or not it was killed before. */
  async close(input: NodeJS.ReadStream): Promise<void> {
    input.pause();
    this.#worker.kill();
    await this.#worker.ended;
  }
}
