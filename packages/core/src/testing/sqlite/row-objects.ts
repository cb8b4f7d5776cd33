import type { SqliteDatabase, SqliteStatement } from '../../store/sqlite/connection/database.ts';

/** The same database as a driver gives it that cannot give rows as arrays, each changed on the way to the reader. */
export function rowObjects(database: SqliteDatabase, change: (row: object) => object = (row) => row): SqliteDatabase {
  const changed = (row: unknown): unknown => (typeof row === 'object' && row !== null ? change(row) : row);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => changed(statement.get(...values)),
        all: (...values) => statement.all(...values).map(changed),
      } satisfies SqliteStatement;
    },
    close: () => database.close(),
  };
}
