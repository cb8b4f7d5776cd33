import { nodeCallScope } from '../../../src/env/call-scope.ts';
import type { Env } from '../../../src/env/env.ts';
import type { Files } from '../../../src/env/files.ts';
import { virtualMachine } from '../../../src/testing/file/virtual-machine.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';

/** Where the store is on a simulated disk. */
export const storePath = '/store';

const start = Date.parse('2026-01-01T00:00:00Z');

/** Time of a simulated world; it moves when told to, and when somebody sleeps. */
export interface Time {
  nowMs: number;
}

/** The time at which a simulated world begins, days after another one has. */
export function startOfTime(day = 0): Time {
  return { nowMs: start + day * 86_400_000 };
}

interface SimulatedEnvOptions {
  readonly files: Files;
  readonly time: Time;
  readonly seed: number;
  readonly warn?: ((message: string) => void) | undefined;
}

/** A world around a simulated disk in which nothing is left to chance. */
export function simulatedEnv({ files, time, seed, warn = () => {} }: SimulatedEnvOptions): Env {
  return {
    clock: {
      now: () => time.nowMs,
      sleep: async (ms) => {
        time.nowMs += ms;
      },
    },
    nextTick: (callback) => {
      setImmediate(callback);
    },
    random: seededRandom(seed),
    monotonicMs: () => time.nowMs - start,
    files,
    machine: virtualMachine(),
    calls: nodeCallScope(),
    warn,
  };
}
