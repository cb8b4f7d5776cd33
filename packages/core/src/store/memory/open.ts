import { defineStore, type Store } from '../store.ts';
import { MemoryDriver } from './driver.ts';
import { MemoryPlace } from './memory-place.ts';

/** A store in memory that outlives its engine: reopening it finds everything again. */
export function memoryStore(): Store {
  const place = new MemoryPlace();
  return defineStore(async (env) => new MemoryDriver(place, env));
}
