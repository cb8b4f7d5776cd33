/** A store in one SQLite file, for any number of processes of a machine. */
export type { Durability, SqliteDatabase, SqliteStatement, SqliteValue } from './connection/database.ts';
export { backUpSqlite, type SqliteBackup } from './file/back-up.ts';
export { type SqliteStoreOptions, sqliteStore } from './open.ts';
export { transaction } from './transaction.ts';
