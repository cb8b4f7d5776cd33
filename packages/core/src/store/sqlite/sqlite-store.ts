import { resolve } from 'node:path';
import type { Env } from '../../env/env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { defineStore, type Store } from '../store.ts';
import type { Durability, SqliteDatabase } from './database.ts';
import { loadSqlite } from './load-sqlite.ts';
import { openFailure, setUpDatabase } from './set-up-database.ts';
import { SqliteDriver } from './sqlite-driver.ts';
import { prepareFile } from './store-file.ts';

/** How a SQLite store is kept. */
export interface SqliteStoreOptions {
  /**
   * `full` (the default): an acknowledged commit survives a power cut. `normal`: faster, and survives a crash of the
   * process, but a power cut may take the last commits back.
   */
  readonly durability?: Durability | undefined;
}

/**
 * A store in one SQLite file, for one process or for several on one machine; or in a database that you have opened with
 * `node:sqlite`, `@photostructure/sqlite` or `better-sqlite3` and close yourself.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function sqliteStore(file: string | SqliteDatabase, { durability = 'full' }: SqliteStoreOptions = {}): Store {
  if (durability !== 'full' && durability !== 'normal') throw invalid(`durability ${JSON.stringify(durability)}`);
  if (typeof file === 'string' && (file === '' || file === ':memory:'))
    throw invalid(`the file ${JSON.stringify(file)}`);
  return defineStore((env) =>
    typeof file === 'string'
      ? openFile({ path: resolve(file), durability, env })
      : adopt({ database: file, durability, env }),
  );
}

interface OpenOptions {
  readonly durability: Durability;
  readonly env: Env;
}

async function openFile({ path, durability, env }: OpenOptions & { readonly path: string }): Promise<SqliteDriver> {
  const DatabaseSync = await loadSqlite();
  let database: SqliteDatabase;
  try {
    await prepareFile(path);
    database = new DatabaseSync(path);
  } catch (error) {
    throw openFailure(error);
  }
  try {
    await setUpDatabase({ database, durability, env });
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteDriver({ database, env });
}

async function adopt({
  database,
  durability,
  env,
}: OpenOptions & { readonly database: SqliteDatabase }): Promise<SqliteDriver> {
  await setUpDatabase({ database, durability, env });
  return new SqliteDriver({ database, env, borrowed: true });
}

function invalid(what: string): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `A SQLite store cannot have ${what}. Known are: durability full, normal.`,
  );
}
