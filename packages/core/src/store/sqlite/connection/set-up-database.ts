import type { Env } from '../../../env/env.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { reason, storeFault } from '../../store-fault.ts';
import { corrupt } from '../../table/corrupt.ts';
import { failureOf } from '../errors.ts';
import { checkSchema, migrations as ourMigrations } from '../schema.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { type Durability, readPragma, type SqliteDatabase } from './database.ts';
import { foreign, type Migration, migrate, readFormat } from './migrate.ts';

/** How long opening waits for a process that has locked the file. */
const defaultPatienceMs = 10_000;

interface SetUpOptions {
  readonly database: SqliteDatabase;
  readonly env: Env;
  readonly durability: Durability;
  readonly migrations?: readonly Migration[] | undefined;
  readonly patienceMs?: number | undefined;
}

/**
 * Makes an open database one of ours: checks what it is, sets what has to be set on every connection, creates the
 * tables or brings them to the newest format.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_STORE_FOREIGN, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_STORE_LOCKED, HOLDFAST_STORE_UNSAFE,
 * HOLDFAST_CORRUPT, HOLDFAST_STORE_FAILED
 */
export async function setUpDatabase(options: SetUpOptions): Promise<void> {
  const { env, patienceMs = defaultPatienceMs } = options;
  try {
    await retryWhileBusy({ env, patienceMs, attempt: () => setUp(options) });
  } catch (error) {
    throw openFailure(error);
  }
}

function setUp({ database, durability, migrations = ourMigrations }: SetUpOptions): void {
  database.exec('PRAGMA busy_timeout = 0');
  refuseTransaction(database);
  const { version } = readFormat(database, migrations.length);
  // Both are fixed with the first page that is written.
  if (version === 0) database.exec('PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL');
  const mode = readPragma(database, 'journal_mode = WAL');
  if (mode !== 'wal') throw unsafe(`its journal mode is ${String(mode)}, not wal`);
  setDurability(database, durability);
  // The log is brought into the file by `WalDrain`.
  database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16000; PRAGMA cell_size_check = ON');
  bringUpToDate(database, migrations);
  if (migrations === ourMigrations) checkSchema(database);
}

/** Asserted as well as set: drivers are built so that a database that is opened again has less than FULL. */
function setDurability(database: SqliteDatabase, durability: Durability): void {
  const level = durability === 'full' ? 2 : 1;
  // Where a plain sync leaves the data in the disk's own cache (macOS), the full one does not.
  const full = durability === 'full' ? 'ON' : 'OFF';
  database.exec(`PRAGMA synchronous = ${level}; PRAGMA fullfsync = ${full}; PRAGMA checkpoint_fullfsync = ${full}`);
  const found = readPragma(database, 'synchronous');
  if (found !== level) throw unsafe(`its synchronous level is ${String(found)}, not ${level}`);
}

/** Writes in any case, and takes it back where nothing changed: what cannot be written is found now and not later. */
function bringUpToDate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const { changed } = migrate(database, migrations);
    database.exec(changed ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** What has failed is told; some failures have rolled back by themselves. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // There is nothing to roll back any more.
  }
}

/** In a transaction of the user's own nothing could be committed; only a `BEGIN` finds one. @throws HOLDFAST_INVALID_OPTION */
function refuseTransaction(database: SqliteDatabase): void {
  try {
    database.exec('BEGIN; ROLLBACK');
  } catch (cause) {
    if (failureOf(cause) !== 'logic') throw cause;
    const fact = 'The database passed to sqliteStore is in a transaction';
    throw holdfastError('HOLDFAST_INVALID_OPTION', `${fact}. End it before you open the store.`, { cause });
  }
}

function unsafe(fact: string, cause?: unknown): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_UNSAFE',
    `The database could lose acknowledged commits: ${fact}. Use a file of your own on a local disk.`,
    cause === undefined ? {} : { cause },
  );
}

/** What a failure to open means, with a code. */
export function openFailure(error: unknown): HoldfastError {
  if (HoldfastError.is(error)) return error;
  switch (failureOf(error)) {
    case 'foreign':
      return foreign(error);
    case 'corrupt':
    case 'logic':
      return corrupt({}, reason(error), error);
    case 'busy':
      return holdfastError(
        'HOLDFAST_STORE_LOCKED',
        'Another process keeps the store locked. End it, or use another file.',
        { cause: error },
      );
    case 'readonly':
      return unsafe('it is read-only', error);
    default:
      return storeFault({ effect: 'none', cause: error });
  }
}
