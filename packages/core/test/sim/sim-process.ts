import { setMaxListeners } from 'node:events';
import type { CallScope } from '../../src/env/call-scope.ts';
import type { Env } from '../../src/env/env.ts';
import type { Files } from '../../src/env/files.ts';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { beginningMs, type Owner, type World } from './world.ts';

/** A turn of the event loop takes so long: less than any answer of a store. */
const turnMs = 0.01;

interface ProcessOptions {
  readonly world: World;
  readonly name: string;
  readonly skewMs: number;
  readonly files?: Files | undefined;
  readonly isPerson?: boolean | undefined;
}

/** A simulated process: an environment whose every callback is an event of the world, and which can stop or die. */
export class SimProcess implements Owner {
  readonly name: string;
  readonly env: Env;
  readonly warnings: string[] = [];
  /** Asks and answers, and executes nothing. */
  readonly isPerson: boolean;
  isDead = false;
  pausedUntilMs = 0;
  /** When the outage ends, or ended, of which it has heard. */
  outUntilMs: number | undefined;
  /** How far its wall clock is ahead. */
  skewMs: number;
  onDeath: () => void = () => {};
  readonly #world: World;

  constructor({ world, name, skewMs, files = noFiles, isPerson = false }: ProcessOptions) {
    this.isPerson = isPerson;
    this.name = name;
    this.skewMs = skewMs;
    this.#world = world;
    this.env = {
      clock: {
        now: () => Math.floor(beginningMs + world.nowMs + this.skewMs),
        sleep: (ms, signal) => this.#sleep(ms, signal),
      },
      nextTick: (callback) => world.after(this, turnMs, callback),
      random: seededRandom(world.below(2 ** 31)),
      monotonicMs: () => world.nowMs,
      files,
      machine: world.processes.begin(this),
      calls: noScope,
      warn: (message) => void this.warnings.push(message),
    };
  }

  /** Nothing of it happens from now on, and nothing that it asked for is answered. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.onDeath();
  }

  /** The machine holds it up: others continue. */
  pause(ms: number): void {
    this.pausedUntilMs = this.#world.nowMs + ms;
  }

  /** Resolves after so long, as an event of this process. */
  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.#world.after(this, ms, resolve));
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      // A clock may do that, as the virtual one does: nothing may rely on a turn of the event loop.
      if (!(ms > 0)) {
        resolve();
        return;
      }
      if (signal !== undefined) setMaxListeners(0, signal);
      let isOver = false;
      const abort = (): void => {
        isOver = true;
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#world.after(this, ms, () => {
        if (isOver) return;
        signal?.removeEventListener('abort', abort);
        resolve();
      });
    });
  }
}

/** Costs much, and no workload calls one step within another. */
const noScope: CallScope = { run: (_owner, fn) => fn(), owner: () => undefined };

const noFiles: Files = new Proxy({} as Files, {
  get: () => {
    throw new Error('this process has no files');
  },
});
