import { defineStore, type Store } from '../store.ts';
import { MemoryDriver } from './driver.ts';
import { MemoryPlace } from './memory-place.ts';

/**
 * A store in memory that outlives its engine: reopening it finds everything again.
 *
 * @example
 * ```ts
 * const store = memoryStore();
 * const before = await openEngine(store);
 * await before.start(refunds, { order: 'ord-81' }, { id: 'ord-81' }).result();
 * await before.close();
 * const after = await openEngine(store, { graphs: [refunds] }); // as after a restart: the run is there
 * ```
 */
export function memoryStore(): Store {
  const place = new MemoryPlace();
  return defineStore(async (env) => new MemoryDriver(place, env));
}
