import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** After about so many pages the log is brought into the file: 8 MB. */
const drainAfterPages = 2_000;
/** What another process still reads stays in the log, and the rest is tried again after so many more. */
const againAfterPages = 200;

interface WalDrainOptions {
  readonly database: SqliteDatabase;
  /** How many pages may be in the log that another process left. */
  readonly pages?: number | undefined;
}

/**
 * Merges the log into the database file every so often. SQLite would do so by itself, but tells nobody when it fails, and
 * a sync that failed there is a failed sync like any other.
 */
export class WalDrain {
  readonly #database: SqliteDatabase;
  #statement: SqliteStatement | undefined;
  #pages: number;

  constructor({ database, pages = 0 }: WalDrainOptions) {
    this.#database = database;
    this.#pages = pages;
  }

  /** A commit has put about so many pages into the log; what is thrown is SQLite's, and takes nothing of it back. */
  wrote(pages: number): void {
    this.#pages += pages;
    if (this.#pages < drainAfterPages) return;
    this.#pages = 0;
    this.#statement ??= this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    const [found] = this.#statement.all() as [Drained];
    if (found.busy !== 0 || found.checkpointed < found.log) this.#pages = drainAfterPages - againAfterPages;
  }

  /** Releases its statement: see `Connection.settle`. */
  forget(): void {
    this.#statement = undefined;
  }
}

/** What SQLite tells of it. */
interface Drained {
  /** Somebody else does the same at the moment. */
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
