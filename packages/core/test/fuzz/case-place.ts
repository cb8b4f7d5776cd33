import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeEnv } from '../../src/env/node-env.ts';
import { fileStore } from '../../src/store/file/open.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { sqliteStore } from '../../src/store/sqlite/open.ts';
import { openDriver, type Store } from '../../src/store/store.ts';
import { giveBack, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';

/** The kinds of stores, as cases name them. */
export const storeNames = ['memory', 'file', 'sqlite', 'postgres'] as const;

/** The kind of a store. */
export type StoreName = (typeof storeNames)[number];

/** Where a store is, for whoever goes behind its back. */
export interface Place {
  readonly name: StoreName;
  /** Empty where there is none. */
  readonly folder: string;
  readonly schema?: string | undefined;
}

/** Calls with an empty store of this kind, which is gone afterwards. */
export async function withStore<T>(name: StoreName, call: (store: Store, place: Place) => Promise<T>): Promise<T> {
  if (name === 'memory') return call(memoryStore(), { name, folder: '' });
  if (name === 'postgres') return withSchema(call);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-fuzz-'));
  try {
    const store = name === 'file' ? fileStore(join(folder, 'runs')) : sqliteStore(join(folder, 'runs.db'));
    return await call(store, { name, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withSchema<T>(call: (store: Store, place: Place) => Promise<T>): Promise<T> {
  const schema = await takeSchema();
  try {
    return await call(storeIn(schema), { name: 'postgres', folder: '', schema });
  } finally {
    await giveBack(schema);
  }
}

/** Creates the first schema. That takes longer than a case may. */
export function warmUp(): Promise<void> {
  return withSchema(async (store) => (await openDriver(store, nodeEnv)).close());
}
