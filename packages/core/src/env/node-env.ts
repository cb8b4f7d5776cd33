import { performance } from 'node:perf_hooks';
import { printableLine } from '../value/printable.ts';
import { nodeCallScope } from './call-scope.ts';
import type { Env } from './env.ts';
import { nodeMachine } from './machine.ts';
import { nodeClock } from './node-clock.ts';
import { nodeFiles } from './node-files.ts';
import { nodeRandom } from './node-random.ts';

/** The environment in production: Node. */
export const nodeEnv: Env = {
  clock: nodeClock,
  nextTick: (callback) => {
    setImmediate(callback);
  },
  random: nodeRandom(),
  monotonicMs: () => performance.now(),
  files: nodeFiles,
  machine: nodeMachine,
  calls: nodeCallScope(),
  warn: (message) => {
    process.emitWarning(printableLine(message), 'HoldfastWarning');
  },
};
