import type { Env } from '../../../src/env/env.ts';
import type { Machine } from '../../../src/env/machine.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { openFileDriver } from '../../../src/store/file/open.ts';
import { smallLimits } from '../../../src/testing/file/small-limits.ts';
import { storePath } from './simulated-world.ts';

/** Whoever opened the store before is dead: a simulated process ends when the next one begins. */
const machine: Machine = {
  self: () => ({ pid: 1, started: '1', boot: 'boot', space: null, host: 'host' }),
  mayLive: () => false,
};

/** Opens the file store of a simulated world. */
export async function openSimulated(env: Env): Promise<StoreDriver> {
  return openFileDriver({ dir: storePath, env, machine, ...smallLimits });
}
