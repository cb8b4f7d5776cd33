import { nodeEnv } from '../../../env/node-env.ts';
import { openFailure } from '../errors.ts';
import { checkSchema, poolOf } from '../open.ts';
import { migrations } from '../schema.ts';
import { readPostgresUrl } from '../url.ts';
import { Database } from './database.ts';
import type { Connected } from './kept-connection.ts';

/** What the server and the rights of the user mean for a store. */
export interface PostgresReport {
  /** As the server calls it: `18.1`. */
  readonly version: string;
  /** As a number: 180001. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** A standby, or a server that was told to accept no writes. */
  readonly isReadOnly: boolean;
  readonly schema: {
    readonly name: string;
    /** Undefined: the schema does not exist, or the user may not look into it. */
    readonly version: number | undefined;
    /** The version that this Holdfast creates. */
    readonly newest: number;
  };
  readonly rights: {
    /** Whether the user may create or migrate the schema. */
    readonly canMigrate: boolean;
    /** The tables of the schema that the user may not read and write. */
    readonly missing: readonly string[];
  };
  /** What decides whether an acknowledged commit survives: `fsync`, `full_page_writes`, `synchronous_commit` and others. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a pooler is between the program and the server. */
  readonly isPooled: boolean;
  /** What `named` in the URL says: prepared statements are used, which a pooler in transaction mode breaks. */
  readonly named: boolean;
}

const shownSettings = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'statement_timeout',
  'max_connections',
] as const;

/** Programs only read the table of versions. */
const probe = `SELECT current_setting('server_version'), current_setting('server_version_num')::int,
  current_setting('server_encoding'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
  coalesce(has_schema_privilege(to_regnamespace(quote_ident($1)), 'CREATE'),
    has_database_privilege(current_database(), 'CREATE')),
  coalesce(has_table_privilege(to_regclass(format('%I.meta', $1::text)), 'SELECT'), false),
  (SELECT coalesce(json_agg(c.relname ORDER BY c.relname), '[]')::text FROM pg_catalog.pg_class c
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND c.relkind IN ('r', 'p')
    AND NOT (has_table_privilege(c.oid, 'SELECT') AND (c.relname = 'meta' OR (has_table_privilege(c.oid, 'INSERT')
      AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))))),
  (SELECT json_object_agg(name, setting)::text FROM pg_catalog.pg_settings WHERE name = ANY($2::text[])),
  pg_backend_pid()`;

/**
 * Looks at a server without creating or changing anything: `holdfast doctor` asks it.
 *
 * @example
 * ```ts
 * const report = await examinePostgres('postgres://localhost/app');
 * console.log(report.version);
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_STORE_UNAVAILABLE
 */
export async function examinePostgres(url: string): Promise<PostgresReport> {
  const { servers, options } = readPostgresUrl(url);
  const schema = checkSchema(options.schema);
  const pool = await poolOf(servers, 2);
  const database = new Database({ pool, schema, named: false, env: nodeEnv });
  try {
    const client = await database.connect();
    try {
      return await report(client, { database, schema, named: options.named });
    } finally {
      client.release();
    }
  } catch (error) {
    throw openFailure(error);
  } finally {
    // Nobody waits for it: a pool whose connection could not even be tried never ends.
    void database.end().catch(() => undefined);
  }
}

interface ReportOptions {
  readonly database: Database;
  readonly schema: string;
  readonly named: boolean;
}

async function report(client: Connected, { database, schema, named }: ReportOptions): Promise<PostgresReport> {
  const { rows } = await client.query({ text: probe, values: [schema, [...shownSettings]], rowMode: 'array' });
  const [version, versionNumber, encoding, isReadOnly, canMigrate, isThere, missing, settings, backend] = rows[0] as [
    ...[string, number, string, boolean, boolean, boolean, string, string, number],
  ];
  const [meta] = isThere ? await database.rows('SELECT version FROM @meta WHERE id = $1', [1]) : [];
  return {
    version,
    versionNumber,
    encoding,
    isReadOnly,
    schema: { name: schema, version: meta?.[0] as number | undefined, newest: migrations.length },
    rights: { canMigrate, missing: JSON.parse(missing) as string[] },
    settings: JSON.parse(settings) as Record<string, string>,
    isPooled: typeof client.processID === 'number' && client.processID !== backend,
    named,
  };
}
