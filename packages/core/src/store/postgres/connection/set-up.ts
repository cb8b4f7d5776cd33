import { holdfastError } from '../../../errors/holdfast-error.ts';
import { unavailable } from '../errors.ts';
import { migrate, migrations } from '../schema.ts';
import type { Database, Session } from './database.ts';

/** Any number that other programs are unlikely to lock. */
const lockClass = 1_213_156_932;

/** What a server that only speaks the protocol may not have. */
const functions = [
  'pg_advisory_xact_lock(integer,integer)',
  'pg_try_advisory_lock(bigint)',
  'hashtextextended(text,bigint)',
  'pg_notify(text,text)',
  'pg_postmaster_start_time()',
];
/** The first whose planner is told what to materialize. */
const oldestServer = 120_000;

interface Probe {
  readonly encoding: string;
  readonly isReadOnly: boolean;
  /** What the store needs and the server does not have. */
  readonly lacks: readonly string[];
  /** Whether the table of versions exists. */
  readonly isThere: boolean;
}

interface SetUpOptions {
  /** The store was open before: nothing that is missing is created. */
  readonly again: boolean;
  /** The migrations that this code knows. Default: all of them. */
  readonly known?: typeof migrations | undefined;
}

/**
 * Checks the server, and creates or migrates the schema if that is needed.
 *
 * @throws HOLDFAST_STORE_UNAVAILABLE, HOLDFAST_UNKNOWN_FORMAT
 */
export async function setUp(database: Database, { again, known = migrations }: SetUpOptions): Promise<void> {
  const { encoding, isReadOnly, lacks, isThere } = await probe(database);
  if (lacks.length > 0) throw unavailable({ problem: 'server', what: `the server has no ${lacks.join(', no ')}` });
  if (encoding !== 'UTF8')
    throw unavailable({ problem: 'encoding', what: `the database has the encoding ${encoding}` });
  if (isReadOnly) throw unavailable({ problem: 'read-only', what: 'the server accepts no writes' });
  if (again && !isThere) {
    throw unavailable({ problem: 'missing', what: `the schema "${database.schema}" is gone` });
  }
  if (isThere && (await versionOf(database, known.length)) >= known.length) return;
  await database.transaction(async (session) => {
    await session.rows('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockClass, database.schema]);
    // Someone else may have been first.
    const found = await probe(session, database.schema);
    if (!found.isThere) await session.rows(`CREATE SCHEMA IF NOT EXISTS "${database.schema}"`, []);
    const version = found.isThere ? await versionOf(session, known.length) : 0;
    if (version < known.length) await migrate(session, version, known);
  });
}

async function probe(session: Session, schema = (session as Database).schema): Promise<Probe> {
  const [row] = await session.rows(
    `SELECT current_setting('server_encoding'), current_setting('transaction_read_only') = 'on',
      EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'meta'),
      current_setting('server_version_num')::int,
      ARRAY(SELECT f FROM unnest($2::text[]) AS f WHERE to_regprocedure(f) IS NULL)`,
    [schema, functions],
  );
  const [encoding, isReadOnly, isThere, version, missing] = row as readonly [
    ...[string, boolean, boolean, number, readonly string[]],
  ];
  const lacks = version < oldestServer ? ['features of Postgres 12', ...missing] : missing;
  return { encoding, isReadOnly, lacks, isThere };
}

/** The version of the schema. @throws HOLDFAST_UNKNOWN_FORMAT when it no longer accepts code as old as this */
async function versionOf(session: Session, newest: number): Promise<number> {
  const [row] = await session.rows('SELECT version, oldest FROM @meta WHERE id = $1', [1]);
  const [version, oldest] = row as readonly [number, number];
  if (oldest <= newest) return version;
  throw holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `The schema of the store has version ${version} and accepts code from version ${oldest} on, but this Holdfast has version ${newest}; nothing was written. Use a newer Holdfast.`,
    { details: { version, oldest, newest } },
  );
}
