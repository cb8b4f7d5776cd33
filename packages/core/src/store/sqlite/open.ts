import { resolve } from 'node:path';
import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { defineStore, type Store } from '../store.ts';
import { type Durability, readPragma, type SqliteDatabase } from './connection/database.ts';
import { type DatabaseClass, loadSqlite } from './connection/load-sqlite.ts';
import { readFormat } from './connection/migrate.ts';
import { openFailure, setUpDatabase } from './connection/set-up-database.ts';
import { SqliteDriver } from './driver.ts';
import { findFile, logOf, logPagesOf, prepareFile } from './file/store-file.ts';
import { checkLog } from './log/check-log.ts';
import { migrations } from './schema.ts';

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
 * @example
 * ```ts
 * const fast = await openEngine(sqliteStore('./runs.db', { durability: 'normal' }));
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function sqliteStore(file: string | SqliteDatabase, { durability = 'full' }: SqliteStoreOptions = {}): Store {
  if (durability !== 'full' && durability !== 'normal')
    throw invalid(`durability ${JSON.stringify(durability)}`, 'Use full or normal.');
  if (file === '' || file === ':memory:')
    throw invalid(
      `the file ${JSON.stringify(file)}`,
      'Use memory: for runs that need not last, and a file for all others.',
    );
  if (typeof file !== 'string' && typeof file?.prepare !== 'function')
    throw invalid('that', 'Pass a path, or an open database.');
  if (typeof file !== 'string') return defineStore((env) => openGiven({ database: file, durability, env }));
  // Resolved now: when it is opened again, the process may be in another directory.
  const path = resolve(file);
  return defineStore((env, { again }) => openFile({ path, durability, env, again }));
}

interface OpenOptions {
  readonly durability: Durability;
  readonly env: Env;
}

interface FileOptions extends OpenOptions {
  readonly path: string;
  /** It was open before, so it must exist. */
  readonly again: boolean;
}

/** An open database. */
interface OpenDatabase {
  readonly database: SqliteDatabase;
  /** How many pages were in its log. */
  readonly logPages: number;
}

async function openFile({ env, ...rest }: FileOptions): Promise<SqliteDriver> {
  const { database, logPages } = await openDatabase({ env, ...rest });
  return new SqliteDriver({ database, env, logPages });
}

/** Opens a file as a database of ours, and checks everything that can be wrong with it. */
export async function openDatabase({ path, durability, env, again }: FileOptions): Promise<OpenDatabase> {
  const DatabaseSync = await loadSqlite();
  let database: SqliteDatabase | undefined;
  try {
    if (again) await findFile(path);
    await prepareFile(path);
    const logPages = await logPagesOf(path);
    if (logPages > 0) lookAt(DatabaseSync, path);
    // With less durability, a power cut may lose a commit and keep later ones.
    if (logPages > 0 && durability === 'full') await checkLog(logOf(path));
    database = new DatabaseSync(path);
    await setUpDatabase({ database, durability, env });
    return { database, logPages };
  } catch (error) {
    database?.close();
    throw withPath(openFailure(error), path);
  }
}

/** The last connection that closes a database merges its log. So a database that may not be ours is examined first. */
function lookAt(DatabaseSync: DatabaseClass, path: string): void {
  let database: SqliteDatabase | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    readFormat(database, migrations.length);
  } catch (error) {
    // Any other error comes again when it is opened.
    if (HoldfastError.is(error)) throw error;
  } finally {
    database?.close();
  }
}

/** Says which file it is about: a process may open several. */
function withPath(error: HoldfastError, path: string): HoldfastError {
  const { code, message, details, cause } = error;
  return details['path'] === undefined
    ? holdfastError(code, `${path}: ${message}`, { details: { ...details, path }, cause })
    : error;
}

/** Users' databases that have failed: opening a store on one again would use the same connection. */
const distrusted = new WeakSet<SqliteDatabase>();

async function openGiven({
  database,
  durability,
  env,
}: OpenOptions & { readonly database: SqliteDatabase }): Promise<SqliteDriver> {
  if (distrusted.has(database)) {
    const fact = 'The database passed to sqliteStore has failed and can no longer be trusted.';
    throw holdfastError('HOLDFAST_STORE_POISONED', `${fact} Close it, open the file again, and pass the new database.`);
  }
  const drainsAfter = Number(readPragma(database, 'wal_autocheckpoint'));
  await setUpDatabase({ database, durability, env });
  const { file } = database.prepare('PRAGMA database_list').get() as { readonly file: string };
  return new SqliteDriver({
    database,
    env,
    logPages: await logPagesOf(file),
    giveBack: ({ isPoisoned }) => {
      if (isPoisoned) distrusted.add(database);
      else database.exec(`PRAGMA wal_autocheckpoint = ${drainsAfter}`);
    },
  });
}

function invalid(what: string, next: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', `A SQLite store cannot have ${what}. ${next}`);
}
