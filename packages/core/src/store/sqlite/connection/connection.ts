import type { Env } from '../../../env/env.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { reason, storeFault } from '../../store-fault.ts';
import { noTransaction } from '../../store-within.ts';
import { corrupt } from '../../table/corrupt.ts';
import { type Failure, failureOf } from '../errors.ts';
import { readRounded } from './big-integers.ts';
import { retryWhileBusy } from './busy-retry.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts';
import { WalDrain } from './wal-drain.ts';

/** How long a call waits for other processes before it gives up. */
const defaultPatienceMs = 30_000;

interface ConnectionOptions {
  readonly database: SqliteDatabase;
  readonly env: Env;
  readonly patienceMs?: number | undefined;
  /** How many pages may be in the log already. */
  readonly logPages?: number | undefined;
}

/** What a short transaction changes: a leaf of a few tables. */
const fewPages = 4;

/**
 * A database and its transactions. Work in a transaction is synchronous, so that nothing of this process comes between;
 * waiting for other processes is not, so that the event loop never stands still for them.
 */
export class Connection {
  readonly #database: SqliteDatabase;
  readonly #env: Env;
  readonly #patienceMs: number;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #arrayStatements = new Map<string, SqliteStatement>();
  readonly #drain: WalDrain;
  #poison: HoldfastError | undefined;

  constructor({ database, env, patienceMs = defaultPatienceMs, logPages }: ConnectionOptions) {
    this.#database = database;
    this.#env = env;
    this.#patienceMs = patienceMs;
    this.#drain = new WalDrain({ database, pages: logPages });
  }

  /** Whether it has failed so that nothing it shows can be trusted. */
  get isPoisoned(): boolean {
    return this.#poison !== undefined;
  }

  /** The first row. */
  get(sql: string, ...values: SqliteValue[]): unknown {
    const statement = this.#prepared(sql);
    return readRounded(statement, () => statement.get(...values));
  }

  /** The columns of the first row, in the order in which they are named: for rows with many. */
  columns(sql: string, ...values: SqliteValue[]): readonly SqliteValue[] | undefined {
    const statement = this.#preparedArrays(sql);
    const row = readRounded(statement, () => statement.get(...values));
    return row === undefined ? undefined : asColumns(row);
  }

  /** The columns of all rows, likewise; no two of the same name. */
  allColumns(sql: string, ...values: SqliteValue[]): readonly (readonly SqliteValue[])[] {
    const statement = this.#preparedArrays(sql);
    return readRounded(statement, () => statement.all(...values)).map(asColumns);
  }

  /** The first column of the first row; undefined where there is none. */
  value(sql: string, ...values: SqliteValue[]): SqliteValue | undefined {
    return this.columns(sql, ...values)?.[0];
  }

  all(sql: string, ...values: SqliteValue[]): unknown[] {
    const statement = this.#prepared(sql);
    return readRounded(statement, () => statement.all(...values));
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** The key of the new row. */
  insert(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Reads in one snapshot of the database. */
  async read<T>(work: () => T): Promise<T> {
    return this.#transaction('BEGIN', work);
  }

  /** Writes all or nothing, about so many pages; durable when it resolves. See `storeFault` for failures. */
  async write<T>(work: () => T, pages: number = fewPages): Promise<T> {
    const value = await this.#transaction('BEGIN IMMEDIATE', work);
    this.#wrote(pages);
    return value;
  }

  /** Writes all or nothing inside a transaction that the user has open, which goes on. @throws HOLDFAST_INVALID_OPTION */
  inside<T>(work: () => T): T {
    if (this.#poison !== undefined) throw this.#poison;
    if (!this.isInTransaction) throw noTransaction();
    this.exec('SAVEPOINT holdfast');
    try {
      const value = work();
      this.exec('RELEASE holdfast');
      return value;
    } catch (error) {
      this.tryExec('ROLLBACK TO holdfast');
      this.tryExec('RELEASE holdfast');
      throw asFault(this.#failed(error, failureOf(error)));
    }
  }

  /** Whether a transaction is open. Not all drivers tell: a second one is refused. */
  get isInTransaction(): boolean {
    if (!this.tryExec('BEGIN')) return true;
    this.exec('ROLLBACK');
    return false;
  }

  /**
   * About so many pages have gone to the log, durably. Now and then it is brought into the file; an I/O error there takes
   * nothing back, but poisons the connection as every other does.
   */
  #wrote(pages: number): void {
    try {
      this.#drain.wrote(pages);
    } catch (error) {
      if (failureOf(error) === 'io') this.#poisoned(error, 'none');
    }
  }

  /**
   * Merges the log into the file, so that a copy of the file alone is the whole store, and releases the
   * statements: a driver may not really close the database before they are collected.
   */
  settle(): void {
    if (this.#poison === undefined && !this.tryExec('PRAGMA wal_checkpoint(TRUNCATE)')) {
      this.#env.warn(
        'The write-ahead log of the SQLite store could not be merged into its file. Copy FILE-wal along with it.',
      );
    }
    this.#statements.clear();
    this.#arrayStatements.clear();
    this.#drain.forget();
  }

  /** Most get the lock with the first try. */
  async #transaction<T>(begin: string, work: () => T): Promise<T> {
    const attempt = (): T => this.#attempt(begin, work);
    try {
      return await retryWhileBusy({ env: this.#env, patienceMs: this.#patienceMs, attempt });
    } catch (error) {
      throw asFault(error);
    }
  }

  #attempt<T>(begin: string, work: () => T): T {
    if (this.#poison !== undefined) throw this.#poison;
    let value: T;
    try {
      this.#prepared(begin).run();
    } catch (error) {
      throw this.#failed(asBusy(error), failureOf(error));
    }
    try {
      value = work();
    } catch (error) {
      // Some failures have rolled back by themselves.
      this.tryExec('ROLLBACK');
      const failure = failureOf(error);
      // The tables were looked at when the store was opened: what is missing now has been corrupt since.
      throw this.#failed(error, failure === 'logic' ? 'corrupt' : failure);
    }
    try {
      this.#prepared('COMMIT').run();
      return value;
    } catch (error) {
      throw this.#commitFailed(error);
    }
  }

  /** A failure before the commit had no effect, whatever it was. */
  #failed(error: unknown, failure: Failure): unknown {
    switch (failure) {
      case 'io':
        return this.#poisoned(error, 'none');
      case 'corrupt':
      case 'foreign':
        // Pages that were read are checked no more: without this, the next reader would not be told.
        this.tryExec('PRAGMA shrink_memory');
        return corrupt({}, reason(error), error);
      default:
        return error;
    }
  }

  /** Only an I/O error leaves open whether the commit is on the disk; what can be rolled back was not committed. */
  #commitFailed(error: unknown): HoldfastError {
    const failure = failureOf(error);
    const rolledBack = this.tryExec('ROLLBACK');
    if (failure === 'io') return this.#poisoned(error, 'unknown');
    return storeFault({ effect: rolledBack || failure === 'full' ? 'none' : 'unknown', cause: error });
  }

  /** SQLite would go on as if the failed sync had not been, and so lose what it acknowledges next. */
  #poisoned(cause: unknown, effect: 'none' | 'unknown'): HoldfastError {
    this.#poison = storeFault({ effect: 'none', poisoned: true, cause });
    return storeFault({ effect, poisoned: true, cause });
  }

  /** Whether it could be carried out. */
  tryExec(sql: string): boolean {
    try {
      this.#database.exec(sql);
      return true;
    } catch {
      return false;
    }
  }

  #prepared(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #preparedArrays(sql: string): SqliteStatement {
    let statement = this.#arrayStatements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (statement.setReturnArrays === undefined) statement.raw?.(true);
      else statement.setReturnArrays(true);
      this.#arrayStatements.set(sql, statement);
    }
    return statement;
  }
}

/** Drivers that cannot give arrays give objects, whose members are in the same order. */
function asColumns(row: unknown): readonly SqliteValue[] {
  return (Array.isArray(row) ? row : Object.values(row as object)) as SqliteValue[];
}

/** A transaction that the user has open on their database ends like another process's lock. */
function asBusy(error: unknown): unknown {
  if (!(error instanceof Error && error.message.includes('within a transaction'))) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'SQLITE_BUSY' });
}

/** What has no code of its own failed before the commit, and so without effect. */
function asFault(error: unknown): unknown {
  return HoldfastError.is(error) ? error : storeFault({ effect: 'none', cause: error });
}
