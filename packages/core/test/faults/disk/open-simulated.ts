import type { Env } from '../../../src/env/env.ts';
import type { StoreDriver } from '../../../src/store/contract.ts';
import type { Machine } from '../../../src/store/file/machine.ts';
import { openFileDriver } from '../../../src/store/file/open-driver.ts';
import type { RoomRule } from '../../../src/store/file/segment-room.ts';
import { storePath } from './simulated-world.ts';

/** Whoever opened the store before is dead: a simulated process ends when the next one begins. */
const machine: Machine = {
  self: () => ({ pid: 1, started: '1', boot: 'boot', space: null, host: 'host' }),
  mayLive: () => false,
};

/** Small, so that the short journals of simulated worlds end with a commit as well as with room for the next. */
const room: RoomRule = { after: 1, step: 512 };

/** Opens the file store of a simulated world. */
export async function openSimulated(env: Env): Promise<StoreDriver> {
  return openFileDriver({ dir: storePath, env, machine, room });
}
