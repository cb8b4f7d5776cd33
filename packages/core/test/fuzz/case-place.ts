import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from '../../src/store/file/open.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { sqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';

/** The kind of a store, as cases name it. */
export type StoreName = 'memory' | 'file' | 'sqlite';

/** Calls with an empty store of this kind, which is gone afterwards. */
export async function withStore<T>(name: StoreName, call: (store: Store) => Promise<T>): Promise<T> {
  if (name === 'memory') return call(memoryStore());
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-fuzz-'));
  try {
    return await call(name === 'file' ? fileStore(join(folder, 'runs')) : sqliteStore(join(folder, 'runs.db')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
