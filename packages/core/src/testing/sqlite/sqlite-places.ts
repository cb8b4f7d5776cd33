import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../../env/env.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import type { SqliteDatabase } from '../../store/sqlite/connection/database.ts';
import { loadSqlite } from '../../store/sqlite/connection/load-sqlite.ts';
import { sqliteStore } from '../../store/sqlite/open.ts';
import { openDriver } from '../../store/store.ts';
import { mortalStore } from '../mortal-store.ts';
import type { StorePlace } from '../store-place.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';

/** A directory of its own for the body. */
export async function inDirectory<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  try {
    return await body(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The database of a file, as its driver opens it. */
export async function openRaw(path: string): Promise<SqliteDatabase> {
  const DatabaseSync = await loadSqlite();
  return new DatabaseSync(path);
}

/** Changes a database behind the back of whoever has it open. */
export async function tamper(path: string, change: (database: SqliteDatabase) => unknown): Promise<void> {
  const database = await openRaw(path);
  try {
    await change(database);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

let template: Promise<string> | undefined;

/** An empty store, made once: creating one syncs the disk several times. */
function emptyStore(): Promise<string> {
  template ??= (async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'holdfast-sqlite-')), 'empty.db');
    await (await openDriver(sqliteStore(path), nodeEnv)).close();
    return path;
  })();
  return template;
}

/** A store in a file of the real disk. */
export async function filePlace(): Promise<StorePlace> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  const path = join(directory, 'store.db');
  await copyFile(await emptyStore(), path);
  return {
    store: sqliteStore(path),
    // Nothing is left to do for a process that dies between two commits; those that die in one have tests of their own.
    crash: async () => {},
    destroy: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The same, where every opening is a process that may die. */
export async function mortalPlace(): Promise<StorePlace> {
  const { store, destroy } = await filePlace();
  return { ...mortalStore(store), destroy };
}

/** A store in a database that somebody else has opened, with a driver as strict as `better-sqlite3`. */
export async function handlePlace(): Promise<StorePlace> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-sqlite-'));
  const path = join(directory, 'store.db');
  await copyFile(await emptyStore(), path);
  const database = await openRaw(path);
  return {
    store: sqliteStore(strict(database)),
    destroy: async () => {
      database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function refuse(): never {
  throw new TypeError('This statement does not do that');
}

/** Refuses what `better-sqlite3` refuses: to run what gives rows, and to read what gives none. */
function strict(database: SqliteDatabase): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const reads = /^\s*(?:SELECT|PRAGMA|WITH)/i.test(sql);
      return {
        run: (...values) => (reads ? refuse() : statement.run(...values)),
        get: (...values) => (reads ? statement.get(...values) : refuse()),
        all: (...values) => (reads ? statement.all(...values) : refuse()),
      };
    },
    close: () => database.close(),
  };
}

/** A world in which time moves only when told to. */
export function stillEnv(): { readonly env: Env; readonly clock: VirtualClock } {
  const clock = virtualClock();
  const startMs = clock.now();
  return { clock, env: { ...nodeEnv, clock, monotonicMs: () => clock.now() - startMs, random: () => 0.5 } };
}

/** An open driver and the checked store above it. */
export interface Opened {
  readonly driver: StoreDriver;
  readonly store: CheckedStore;
}

/** Opens the store in a file. */
export async function openAt(path: string, env: Env = nodeEnv): Promise<Opened> {
  const driver = await openDriver(sqliteStore(path), env);
  return { driver, store: new CheckedStore(driver, env) };
}
