import { sumOfLeases } from '../../../src/store/sqlite/lease/lease-table.ts';
import { type RowPlace, sumOfPlace } from '../../../src/store/sqlite/row/packed-row.ts';
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
    database: (database) => rowObjects(database, (row) => (isRun(row) ? { ...row, sum: sumOfRow(row) } : row)),
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
    name: 'facets-unchecked',
    does: 'reads a run without asking whether a search would find it',
    database: (database) => {
      const rows = rowObjects(database);
      return {
        ...rows,
        prepare: (sql) => (isFacetCheck(sql) ? { ...rows.prepare(sql), get: () => ({ found: 1 }) } : rows.prepare(sql)),
      };
    },
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
    database: (database) => rowObjects(database, (row) => (isLeases(row) ? { ...row, sum: sumOfLeases(row) } : row)),
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
type JoinedRow = RunRow & HeadRow;

function isRun(row: object): row is JoinedRow {
  return 'headSum' in row && 'baseRun' in row;
}

function isPlace(row: object): row is RowPlace & { readonly sum: number } {
  return 'prev' in row && 'parts' in row && 'sum' in row;
}

function isLeases(row: object): row is { readonly workers: string; readonly releases: number; readonly sum: number } {
  return 'workers' in row && 'sum' in row;
}

function isFacetCheck(sql: string): boolean {
  return sql.startsWith('SELECT 1 FROM facets');
}
