/** A store in one SQLite file, for any number of processes of a machine. */
export type { Durability, SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts';
export { type SqliteStoreOptions, sqliteStore } from './sqlite-store.ts';
