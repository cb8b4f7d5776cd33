import type { SqliteDatabase } from '../../../src/store/sqlite/connection/database.ts';
import { parkedAt } from '../../../src/store/sqlite/parked-at.ts';
import { type RowPlace, sumOfPlace } from '../../../src/store/sqlite/row/packed-row.ts';
import { addToSum, emptySum } from '../../../src/store/sqlite/row/row-sum.ts';
import { type HeadRow, type RunRow, sumOfHead, sumOfRow } from '../../../src/store/sqlite/run/run-row.ts';
import { migrations } from '../../../src/store/sqlite/schema.ts';
import { rowObjects } from '../../../src/testing/sqlite/row-objects.ts';
import type { Mutant } from '../mutant/mutant.ts';

const base = { breaks: 'P6', stores: ['sqlite'], caughtBy: ['corruption'] } as const;

/** Mutants of the SQLite store that corruption must show. */
export const sqliteCorruptionMutants: readonly Mutant[] = [
  {
    ...base,
    name: 'run-unsummed',
    does: 'reads the row of a run whatever its checksum says',
    database: (database) =>
      rowObjects(database, (row) =>
        isRun(row) ? { ...row, sum: sumOfRow({ ...row, graph: nameOf(database, row.graph) }) } : row,
      ),
  },
  {
    ...base,
    name: 'head-unsummed',
    does: 'reads the head of a run whatever its checksum says',
    database: (database) =>
      rowObjects(database, (row) => (isRun(row) ? { ...row, headSum: sumOfHead(row, row) } : row)),
  },
  {
    ...base,
    name: 'parked-unchecked',
    does: 'reads a run without asking whether a search by node would find it',
    database: (database) =>
      rowObjects(database, (row) => (isRun(row) ? { ...row, parked: parkedKey(database, row) } : row)),
  },
  {
    ...base,
    name: 'name-unsummed',
    does: 'reads the names of graphs and frontiers whatever their checksums say',
    database: (database) =>
      rowObjects(database, (row) =>
        isName(row) ? { ...row, sum: addToSum(addToSum(emptySum, row.key), row.name) } : row,
      ),
  },
  {
    ...base,
    name: 'row-unsummed',
    does: 'reads a row of records whatever the checksum of its place says',
    database: (database) => rowObjects(database, (row) => (isPlace(row) ? { ...row, sum: sumOfPlace(row) } : row)),
  },
  {
    ...base,
    name: 'leases-unsummed',
    does: 'reads the leases whatever their checksum says',
    database: (database) =>
      rowObjects(database, (row) => (isLeases(row) ? { ...row, sum: addToSum(emptySum, row.workers) } : row)),
  },
  {
    ...base,
    breaks: 'P9',
    name: 'newer-database-taken',
    does: 'takes the format of a newer version for its own',
    database: (database) =>
      rowObjects(database, (row) =>
        'user_version' in row ? { user_version: Math.min(Number(row.user_version), migrations.length) } : row,
      ),
  },
];

/** Both rows of a run, joined, with the columns as the statement names them. */
type JoinedRow = Omit<RunRow, 'graph'> & HeadRow & { readonly graph: number };

function isRun(row: object): row is JoinedRow {
  return 'headSum' in row && 'baseRun' in row;
}

interface NameRow {
  readonly key: number;
  readonly name: string;
}

function isName(row: object): row is NameRow {
  return 'key' in row && 'name' in row && 'sum' in row;
}

function nameOf(database: SqliteDatabase, graph: number): string {
  const found = database.prepare('SELECT name FROM graphs WHERE key = ?').get(graph) as NameRow | undefined;
  return found?.name ?? '';
}

function parkedKey(database: SqliteDatabase, row: JoinedRow): number | null {
  const parked = parkedAt(row, row.frontier);
  const found = database.prepare('SELECT key FROM frontiers WHERE name = ?').get(parked) as NameRow | undefined;
  return found?.key ?? null;
}

function isPlace(row: object): row is RowPlace & { readonly sum: number } {
  return 'prev' in row && 'parts' in row && 'sum' in row;
}

function isLeases(row: object): row is { readonly workers: string; readonly sum: number } {
  return 'workers' in row && 'sum' in row;
}
