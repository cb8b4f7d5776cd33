import { defineStore, type Store } from '../store.ts';
import { MemoryDisk } from './memory-disk.ts';
import { MemoryDriver } from './memory-driver.ts';

/** A memory store as a value: it outlives its engine, so that a test can close or crash one and open the next. */
export function memoryStore(): Store {
  const disk = new MemoryDisk();
  return defineStore(async (env) => new MemoryDriver(disk, env));
}
