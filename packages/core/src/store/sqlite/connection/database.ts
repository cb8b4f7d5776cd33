/** What can be bound to a statement. */
export type SqliteValue = string | number | null;

/** The part of a prepared statement that is called: `node:sqlite` and `better-sqlite3` have it. */
export interface SqliteStatement {
  /** Carries the statement out and tells what it changed. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  /** The first row, or undefined. */
  get(...values: SqliteValue[]): unknown;
  /** All rows. */
  all(...values: SqliteValue[]): unknown[];
  /** Makes rows arrays and no objects, which takes half the time. `node:sqlite` calls it so from Node 22.16 on, */
  setReturnArrays?(enabled: boolean): unknown;
  /** and `better-sqlite3` so. */
  raw?(enabled: boolean): unknown;
  /** Gives integers as `bigint`. `node:sqlite` has it; `better-sqlite3` rounds what is too large. */
  setReadBigInts?(enabled: boolean): unknown;
}

/** The part of a database that is called: a `DatabaseSync` of `node:sqlite`, or a database of `better-sqlite3`. */
export interface SqliteDatabase {
  /** Carries out statements that give no rows. */
  exec(sql: string): unknown;
  /** Makes a statement ready to be run again and again. */
  prepare(sql: string): SqliteStatement;
  /** Closes the file. */
  close(): unknown;
}

/** How much a commit may lose: nothing, or with `normal` the last commits before a power cut (never their order). */
export type Durability = 'full' | 'normal';

/** The one value that a pragma gives. */
export function readPragma(database: SqliteDatabase, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return row === undefined ? undefined : Object.values(row)[0];
}
