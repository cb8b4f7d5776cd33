// The tests of the server run on a store for one machine and on one for many.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from 'holdfast';
import { sqliteStore } from 'holdfast/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { newPostgresStore } from '../../../test/postgres-store.ts';

const stores: Readonly<Record<string, () => Store>> = {
  SQLite: () => sqliteStore(pathHere()),
  Postgres: newPostgresStore,
};

let create: () => Store = stores['SQLite'] as () => Store;

/** A test that runs on SQLite and on Postgres: `newStore` makes one of that kind. A long one says how long it may take. */
export function testEverywhere(name: string, body: () => Promise<void>, timeoutMs?: number): void {
  for (const [store, make] of Object.entries(stores)) {
    test(
      `${name} (on ${store})`,
      async () => {
        expect.hasAssertions();
        create = make;
        try {
          await body();
        } finally {
          create = stores['SQLite'] as () => Store;
        }
      },
      timeoutMs,
    );
  }
}

/** A new, empty store of the kind that the test is about. Default: SQLite. */
export function newStore(): Store {
  return create();
}

/** The path of a new SQLite store. */
export function pathHere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'runs.db');
}
