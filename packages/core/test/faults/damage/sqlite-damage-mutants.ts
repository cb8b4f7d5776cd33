import type { SqliteDatabase, SqliteStatement } from '../../../src/store/sqlite/database.ts';
import { type RowPlace, sumOfPlace } from '../../../src/store/sqlite/packed-row.ts';
import { addToSum, emptySum } from '../../../src/store/sqlite/row-sum.ts';
import { type HeadRow, type RunRow, sumOfHead, sumOfRow } from '../../../src/store/sqlite/run-row.ts';
import type { Mutant } from '../mutant/mutant.ts';

const base = { breaks: 'P6', stores: ['sqlite'], caughtBy: ['damage'] } as const;

/** Mutants of the SQLite store that damage must show. */
export const sqliteDamageMutants: readonly Mutant[] = [
  {
    ...base,
    name: 'run-unsummed',
    does: 'reads the row of a run whatever its checksum says',
    database: (database) =>
      withRows(database, (row) => (isRun(row) ? { ...row, sum: sumOfRow({ ...row, graph: row.name }) } : row)),
  },
  {
    ...base,
    name: 'head-unsummed',
    does: 'reads the head of a run whatever its checksum says',
    database: (database) =>
      withRows(database, (row) => (isRun(row) ? { ...row, headSum: sumOfHead(row.key, row) } : row)),
  },
  {
    ...base,
    name: 'row-unsummed',
    does: 'reads a row of records whatever the checksum of its place says',
    database: (database) => withRows(database, (row) => (isPlace(row) ? { ...row, sum: sumOfPlace(row) } : row)),
  },
  {
    ...base,
    name: 'leases-unsummed',
    does: 'reads the leases whatever their checksum says',
    database: (database) =>
      withRows(database, (row) => (isLeases(row) ? { ...row, sum: addToSum(emptySum, row.workers) } : row)),
  },
];

/** The same database, whose rows are changed on the way to the reader; it gives them as objects. */
function withRows(database: SqliteDatabase, change: (row: object) => object): SqliteDatabase {
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

/** Both rows of a run, joined, with the columns as the statement names them. */
function isRun(row: object): row is RunRow & HeadRow & { readonly name: string } {
  return 'headSum' in row && 'baseRun' in row && 'name' in row;
}

function isPlace(row: object): row is RowPlace & { readonly sum: number } {
  return 'prev' in row && 'parts' in row && 'sum' in row;
}

function isLeases(row: object): row is { readonly workers: string; readonly sum: number } {
  return 'workers' in row && 'sum' in row;
}
