import type { Session } from './connection/database.ts';

/**
 * Version 1.
 *
 * `runs` is what is asked for and seldom changes; it has the indexes. `heads` changes with every commit and has none, with
 * half of each page free, so that an update stays on its page. `rev` grows with every change of a run, so that a writer
 * that names it knows that nothing else has changed. `rows` has one row per commit. `facets` are the tags, kinds of waits
 * and nodes that runs are found by. `removed` names what is left of removed runs. User text is text: jsonb refuses \u0000.
 * Times are milliseconds, and may have a fraction.
 */
const first: readonly string[] = [
  `CREATE TABLE @runs (
  key bigint PRIMARY KEY,
  run text COLLATE "C" NOT NULL UNIQUE,
  created_at double precision NOT NULL,
  kind smallint NOT NULL,
  graph text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  base bigint,
  base_run text COLLATE "C",
  base_seq bigint,
  parent text COLLATE "C",
  state smallint NOT NULL,
  early smallint NOT NULL,
  wake_at double precision,
  worker text COLLATE "C",
  waits text,
  tags text,
  floor bigint NOT NULL,
  top bigint,
  trims integer NOT NULL,
  birth integer NOT NULL,
  sum integer NOT NULL
)`,
  'CREATE INDEX runs_state ON @runs (state, created_at, run)',
  'CREATE INDEX runs_graph ON @runs (graph, state, created_at, run)',
  'CREATE INDEX runs_parent ON @runs (parent, created_at, run) WHERE parent IS NOT NULL',
  'CREATE INDEX runs_base ON @runs (base, created_at, run) WHERE base IS NOT NULL',
  'CREATE INDEX runs_early ON @runs (created_at, run) WHERE early = 1',
  `CREATE INDEX runs_due ON @runs (graph, version, wake_at, run)
  WHERE worker IS NULL AND wake_at IS NOT NULL AND kind = 0 AND state < 8`,
  'CREATE INDEX runs_worker ON @runs (worker, graph, version, wake_at, run) WHERE worker IS NOT NULL',
  `CREATE TABLE @heads (
  key bigint PRIMARY KEY,
  seq bigint NOT NULL,
  fence bigint NOT NULL,
  epoch integer NOT NULL,
  claims integer NOT NULL,
  step bigint NOT NULL,
  updated_at double precision NOT NULL,
  rev bigint NOT NULL,
  sum integer NOT NULL,
  frontier text NOT NULL
) WITH (fillfactor = 50)`,
  `CREATE TABLE @rows (
  key bigint NOT NULL,
  seq bigint NOT NULL,
  first bigint NOT NULL,
  sum integer NOT NULL,
  token text NOT NULL,
  parts text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (key, seq)
)`,
  `CREATE TABLE @snapshots (
  key bigint NOT NULL,
  covers bigint NOT NULL,
  seq bigint NOT NULL,
  head_crc bigint NOT NULL,
  body_crc bigint NOT NULL,
  head text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (key, covers, seq)
)`,
  `CREATE TABLE @ids (
  key bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  at double precision NOT NULL,
  crc bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (key, id)
)`,
  `CREATE TABLE @facets (
  type smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  created_at double precision NOT NULL,
  run text COLLATE "C" NOT NULL,
  key bigint NOT NULL,
  PRIMARY KEY (type, name, value, created_at, run)
)`,
  `CREATE TABLE @leases (
  worker text COLLATE "C" PRIMARY KEY,
  until double precision NOT NULL
)`,
  `CREATE TABLE @refusals (
  key bigint NOT NULL,
  worker text COLLATE "C" NOT NULL,
  head bigint NOT NULL,
  at double precision NOT NULL,
  sum integer NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (key, worker)
)`,
  'CREATE TABLE @duties (name text COLLATE "C" PRIMARY KEY, at double precision NOT NULL)',
  'CREATE TABLE @removed (key bigint PRIMARY KEY, run text COLLATE "C" NOT NULL)',
  'CREATE INDEX removed_run ON @removed (run)',
  'CREATE TABLE @meta (id integer PRIMARY KEY, version integer NOT NULL, oldest integer NOT NULL)',
  'INSERT INTO @meta (id, version, oldest) VALUES (1, 0, 0)',
];

/**
 * Version 2: the session lock of a worker, the server that has it, and whether the worker was found dead before its lease had
 * ended.
 */
const second: readonly string[] = [
  'ALTER TABLE @leases ADD COLUMN lock bigint, ADD COLUMN born text, ADD COLUMN died boolean NOT NULL DEFAULT FALSE',
];

/**
 * What turns each version of the schema into the next: never changed once it was released, and only adding, so that older
 * code of a rolling deploy works on.
 */
export const migrations: readonly (readonly string[])[] = [first, second];

/** The oldest code, by its newest migration, that can use the schema as it is after all migrations. */
const oldestCode = 1;

/** Every table, for tests that empty them. */
export const tables: readonly string[] = [
  'runs',
  'heads',
  'rows',
  'snapshots',
  'ids',
  'facets',
  'leases',
  'refusals',
  'duties',
  'removed',
];

/** Carries out the migrations that are missing. The caller holds the lock. */
export async function migrate(session: Session, version: number, known: typeof migrations): Promise<void> {
  for (const statements of known.slice(version)) for (const sql of statements) await session.rows(sql, []);
  await session.rows('UPDATE @meta SET version = $1, oldest = $2 WHERE id = 1', [known.length, oldestCode]);
}
