import { corrupt } from '../table/corrupt.ts';
import type { SqliteDatabase } from './connection/database.ts';
import type { Migration } from './connection/migrate.ts';
import { createLeases } from './lease/lease-table.ts';

/**
 * Version 1.
 *
 * `runs` is what is asked for and seldom changes, `heads` what changes with every commit and has no index. `rows` has one
 * row per commit, in the order they came, each naming the run's row before it; every 64th seq or so is in an index, so
 * that any place is a short walk away: an index of all of them costs twice the write. `facets` are the tags, kinds of
 * waits and frontier nodes that runs are found by. Run keys are never reused, so that a stale one finds nothing. What is
 * large stands last in its row, so that what is small is read without it.
 */
const statements: readonly string[] = [
  `CREATE TABLE runs (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  graph INTEGER NOT NULL,
  version INTEGER NOT NULL,
  base INTEGER,
  baseSeq INTEGER,
  parent TEXT,
  state INTEGER NOT NULL,
  early INTEGER NOT NULL,
  wakeAt INTEGER,
  worker TEXT,
  waits TEXT,
  tags TEXT,
  floor INTEGER NOT NULL,
  top INTEGER,
  sum INTEGER NOT NULL
)`,
  `CREATE INDEX runs_state ON runs (state, createdAt)`,
  `CREATE INDEX runs_graph ON runs (graph, state, createdAt)`,
  `CREATE INDEX runs_parent ON runs (parent, createdAt) WHERE parent IS NOT NULL`,
  `CREATE INDEX runs_base ON runs (base) WHERE base IS NOT NULL`,
  `CREATE INDEX runs_early ON runs (createdAt) WHERE early = 1`,
  `CREATE INDEX runs_due ON runs (graph, version, wakeAt)
  WHERE worker IS NULL AND wakeAt IS NOT NULL AND kind = 0 AND state < 8`,
  `CREATE INDEX runs_worker ON runs (worker, graph, version, wakeAt) WHERE worker IS NOT NULL`,
  `CREATE TABLE graphs (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE facets (
  type INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  run INTEGER NOT NULL,
  PRIMARY KEY (type, name, value, createdAt, run)
) WITHOUT ROWID`,
  `CREATE TABLE heads (
  run INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  last INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  claims INTEGER NOT NULL,
  step INTEGER NOT NULL,
  snaps INTEGER NOT NULL,
  age INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  frontier TEXT NOT NULL
)`,
  `CREATE TABLE rows (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  prev INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  token TEXT NOT NULL,
  text TEXT NOT NULL
)`,
  `CREATE INDEX rows_mark ON rows (run, seq) WHERE mark = 1`,
  `CREATE TABLE ids (
  run INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, id)
) WITHOUT ROWID`,
  `CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  covers INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  headCrc INTEGER NOT NULL,
  bodyCrc INTEGER NOT NULL,
  head TEXT NOT NULL,
  body TEXT NOT NULL
)`,
  `CREATE UNIQUE INDEX snapshots_place ON snapshots (run, covers, seq)`,
  `CREATE TABLE leases (
  id INTEGER PRIMARY KEY,
  workers TEXT NOT NULL,
  releases INTEGER NOT NULL,
  sum INTEGER NOT NULL
)`,
  `CREATE TABLE refusals (
  run INTEGER NOT NULL,
  worker TEXT NOT NULL,
  head INTEGER NOT NULL,
  at INTEGER NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, worker)
) WITHOUT ROWID`,
  `CREATE TABLE duties (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE voids (run TEXT PRIMARY KEY, epoch INTEGER NOT NULL, at INTEGER NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID`,
];

/** What makes each version of the format of the one before it; never changed once it was released. */
export const migrations: readonly Migration[] = [
  (database) => {
    for (const statement of statements) database.exec(statement);
    createLeases(database);
  },
];

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** The name of what a statement creates, and for an index that of its table. */
interface Definition {
  readonly type: string;
  readonly name: string;
  readonly table?: string;
}

const defined = /^CREATE (?:UNIQUE )?(?<type>TABLE|INDEX) (?<name>\w+)(?: ON (?<table>\w+))?/;

/**
 * The tables are as they were created: where they are not, nothing that is read means anything. And nothing else happens
 * when they are written to: a trigger would be code that came with the file.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function checkSchema(database: SqliteDatabase): void {
  const sql = 'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL';
  const rows = database.prepare(sql).all() as SchemaRow[];
  const found = new Set(rows.map(nameOf));
  const ours = new Set<string>();
  for (const statement of statements) {
    const { type, name, table = name } = (defined.exec(statement) as RegExpExecArray).groups as unknown as Definition;
    ours.add(table);
    if (found.has(nameOf({ type: type.toLowerCase(), name, table, sql: statement }))) continue;
    throw corrupt({ table: 'sqlite_schema' }, `the definition of ${name} is missing or different`);
  }
  const trigger = rows.find(({ type, table }) => type === 'trigger' && ours.has(table));
  if (trigger !== undefined)
    throw corrupt(
      { table: 'sqlite_schema' },
      `there is a trigger ${trigger.name} on ${trigger.table}, which Holdfast did not create`,
    );
}

function nameOf({ type, name, table, sql }: SchemaRow): string {
  return [type, name, table, sql].join('\n');
}
