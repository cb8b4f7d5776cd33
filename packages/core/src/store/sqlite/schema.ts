import { corrupt } from './corrupt.ts';
import type { SqliteDatabase } from './database.ts';
import { createLeases } from './lease-table.ts';
import type { Migration } from './migrate.ts';

/**
 * Version 1.
 *
 * `runs` is what is asked for and seldom changes, `heads` what changes with every commit and has no index. `rows` has
 * one row a commit, in the order they came, each knowing the run's row before it; a mark every 64 seqs makes any place
 * a short walk away. `parked` is what the head's frontier is while nobody works on the run (`parked-at.ts`): a search
 * for a node has no other index. Run keys are never used again, so that a stale one finds nothing. What is large stands
 * last in its row, so that what is small is read without it.
 */
const statements: readonly string[] = [
  `CREATE TABLE runs (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  loop INTEGER NOT NULL,
  graph INTEGER NOT NULL,
  version INTEGER NOT NULL,
  base INTEGER,
  baseSeq INTEGER,
  parent TEXT,
  state INTEGER NOT NULL,
  parked INTEGER,
  wakeAt INTEGER,
  worker TEXT,
  kinds INTEGER,
  waits TEXT,
  tags TEXT,
  floor INTEGER NOT NULL,
  top INTEGER,
  sum INTEGER NOT NULL
)`,
  `CREATE INDEX runs_state ON runs (state, createdAt)`,
  `CREATE INDEX runs_graph ON runs (graph, state, createdAt)`,
  `CREATE INDEX runs_parent ON runs (parent, createdAt) WHERE parent IS NOT NULL`,
  `CREATE INDEX runs_base ON runs (base, createdAt) WHERE base IS NOT NULL`,
  `CREATE INDEX runs_kinds ON runs (kinds, createdAt) WHERE kinds IS NOT NULL`,
  `CREATE INDEX runs_parked ON runs (parked, createdAt) WHERE parked IS NOT NULL`,
  `CREATE INDEX runs_loops ON runs (createdAt) WHERE loop = 1 AND parked IS NULL AND (state & 16) = 0`,
  `CREATE INDEX runs_free ON runs (graph, version, wakeAt)
  WHERE worker IS NULL AND wakeAt IS NOT NULL AND loop = 0 AND (state & 8) = 0`,
  `CREATE INDEX runs_held ON runs (worker, graph, version, wakeAt) WHERE worker IS NOT NULL`,
  `CREATE TABLE graphs (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL)`,
  `CREATE TABLE frontiers (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL)`,
  `CREATE TABLE tags (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  run INTEGER NOT NULL,
  PRIMARY KEY (name, value, createdAt, run)
) WITHOUT ROWID`,
  `CREATE TABLE heads (
  run INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  last INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  claims INTEGER NOT NULL,
  step INTEGER NOT NULL,
  snaps INTEGER NOT NULL,
  age INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  token TEXT NOT NULL,
  frontier TEXT NOT NULL
)`,
  `CREATE TABLE rows (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  prev INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  text TEXT NOT NULL
)`,
  `CREATE TABLE marks (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID`,
  `CREATE TABLE ids (
  run INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
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
  sum INTEGER NOT NULL
)`,
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
    throw corrupt({ table: 'sqlite_schema' }, `the definition of ${name} is missing or another`);
  }
  const trigger = rows.find(({ type, table }) => type === 'trigger' && ours.has(table));
  if (trigger !== undefined)
    throw corrupt(
      { table: 'sqlite_schema' },
      `there is a trigger ${trigger.name} on ${trigger.table}, which is none of ours`,
    );
}

function nameOf({ type, name, table, sql }: SchemaRow): string {
  return [type, name, table, sql].join('\n');
}
