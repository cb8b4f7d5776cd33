import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { readPragma, type SqliteDatabase } from './database.ts';

/** "Hold" in the file's header: tells our files from those of other programs. */
export const applicationId = 0x48_6f_6c_64;

/** Turns a database of one version of the format into the next. */
export type Migration = (database: SqliteDatabase) => unknown;

/** What is known of a database before anything is written to it. */
export interface Format {
  /** 0 for a database in which there is nothing yet. */
  readonly version: number;
}

/**
 * Tells what a database is, and writes nothing.
 *
 * @throws HOLDFAST_STORE_FOREIGN when it is something else's, HOLDFAST_UNKNOWN_FORMAT when a newer Holdfast made it
 */
export function readFormat(database: SqliteDatabase, newest: number): Format {
  const id = readPragma(database, 'application_id');
  const version = readPragma(database, 'user_version') as number;
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (id === 0 && version === 0 && tables === 0) return { version };
  if (id !== applicationId) throw foreign();
  if (version <= newest) return { version };
  throw holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `The store has format ${version}, from a newer version of Holdfast; this version reads formats up to ${newest}. Nothing was written. Use the version that wrote it, or a newer one.`,
    { details: { version, newest } },
  );
}

/** Brings the database to the newest version, all steps together or none. The caller holds the write lock. */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): { readonly changed: boolean } {
  const { version } = readFormat(database, migrations.length);
  for (const step of migrations.slice(version)) step(database);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  return { changed: version < migrations.length };
}

/** The error for a file that is not ours. */
export function foreign(cause?: unknown): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_FOREIGN',
    'The file is not a Holdfast store. Nothing was written. Choose another file, or a new one.',
    cause === undefined ? {} : { cause },
  );
}
