import type { SqliteDatabase } from '../../store/sqlite/connection/database.ts';

/** Says with what a statement fails, if it does. */
export type Fails = (sql: string) => Error | undefined;

/** An error as SQLite's drivers throw it: 10 and what has it in its low byte is one of the disk, 13 a full one. */
export function sqliteError(errcode: number, message = 'failed'): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

/** A failed sync of SQLite. */
export const failedSync: Error = sqliteError(1_034, 'disk I/O error');

/** A database of which statements fail where that is said. */
export function failingDatabase(database: SqliteDatabase, fails: Fails): SqliteDatabase {
  const check = (sql: string): void => {
    const error = fails(sql);
    if (error !== undefined) throw error;
  };
  return {
    exec: (sql) => (check(sql), database.exec(sql)),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => (check(sql), statement.run(...values)),
        get: (...values) => (check(sql), statement.get(...values)),
        all: (...values) => (check(sql), statement.all(...values)),
      };
    },
    close: () => database.close(),
  };
}
