import type { PostgresReport } from 'holdfast/postgres';
import { counted } from '../output/counted.ts';
import { shownStore } from '../output/shown-store.ts';
import { openToRead } from '../project/open-engine.ts';
import type { Examination, Finding } from './finding.ts';

type Judged = Omit<Finding, 'name'>;

/** The oldest version that the tests run on. */
const oldestTested = 150_000;

/** The checks of a store in Postgres. Nothing is created or changed. */
export function postgresExaminations(store: string): readonly Examination[] {
  let asked: Promise<PostgresReport> | undefined;
  const ask = (): Promise<PostgresReport> => {
    asked ??= import('holdfast/postgres').then(({ examinePostgres }) => examinePostgres(store));
    return asked;
  };
  const check = (name: string, judge: (report: PostgresReport) => Judged): Examination => {
    return { name, examine: async () => judge(await ask()) };
  };
  return [
    check('server', serverOf),
    { name: 'store', examine: async (context) => (await storeOf(await ask(), context)) ?? missing(store) },
    check('rights', rightsOf),
    check('durability', durabilityOf),
    check('pooler', poolerOf),
  ];
}

function missing(store: string): Judged {
  return { level: 'fair', what: `no store at ${shownStore(store)} yet`, advice: 'The first run creates it.' };
}

function serverOf({ version, versionNumber, encoding, isReadOnly, settings }: PostgresReport): Judged {
  const what = `Postgres ${version}, ${encoding}, at most ${settings['max_connections']} connections`;
  if (encoding !== 'UTF8') return { level: 'bad', what, advice: 'Create a database with the encoding UTF8.' };
  if (isReadOnly) {
    const advice = 'Name the primary, or all servers: postgres://a,b/database.';
    return { level: 'bad', what: `${what}; it accepts no writes`, advice };
  }
  if (versionNumber < oldestTested) return { level: 'fair', what, advice: 'Holdfast is tested on Postgres 15 to 18.' };
  return { level: 'good', what };
}

type Opened = Parameters<Examination['examine']>[0];

/** Undefined if there is none. */
async function storeOf({ schema }: PostgresReport, context: Opened): Promise<Judged | undefined> {
  const { name, version, newest } = schema;
  if (version === undefined) return undefined;
  const where = `${shownStore(context.project.store)}, schema ${name}, version ${version}`;
  if (version < newest) {
    const advice = 'Run holdfast migrate as a user who may change tables, or let the first program do it.';
    return { level: 'fair', what: `${where} of ${newest}`, advice };
  }
  await using engine = await openToRead(context);
  const found = new Set<string>();
  for await (const { id } of engine.runs({ limit: 1_000 })) found.add(id);
  const count = found.size === 1_000 ? 'at least 1000 runs' : counted(found.size, 'run');
  return { level: 'good', what: `${where}: ${count}` };
}

function rightsOf({ rights: { canMigrate, missing: tables }, schema }: PostgresReport): Judged {
  if (tables.length > 0) {
    const advice = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema.name} TO this user.`;
    return { level: 'bad', what: `this user may not use ${tables.join(', ')}`, advice };
  }
  if (canMigrate) return { level: 'good', what: 'this user may use and migrate the schema' };
  if (schema.version === undefined) {
    const advice = 'Run holdfast migrate as a user with CREATE on the database, and grant this one the tables.';
    return { level: 'bad', what: 'this user may not create the schema, and sees none', advice };
  }
  if (schema.version < schema.newest) {
    return { level: 'bad', what: 'this user may not migrate the schema', advice: 'Run holdfast migrate as its owner.' };
  }
  return { level: 'good', what: 'this user may use the schema; migrations are for its owner' };
}

/** What an acknowledged commit survives. */
function durabilityOf({ settings }: PostgresReport): Judged {
  const { fsync, full_page_writes: pages, synchronous_commit: commits, synchronous_standby_names: standbys } = settings;
  const what = `fsync ${fsync}, full_page_writes ${pages}, synchronous_commit ${commits}, ${standbys === '' ? 'no synchronous standby' : `standbys ${standbys}`}`;
  const bad = (advice: string): Judged => ({ level: 'bad', what, advice });
  if (fsync !== 'on') return bad('A power cut may corrupt the database. Set fsync = on.');
  if (pages !== 'on') return bad('A power cut may corrupt the database. Set full_page_writes = on.');
  if (commits === 'off') return bad('A crash of the server loses acknowledged commits. Set synchronous_commit = on.');
  if (standbys !== '' && commits === 'local') {
    return { level: 'fair', what, advice: 'Commits do not wait for the standby, so a failover may lose the newest.' };
  }
  return { level: 'good', what };
}

function poolerOf({ isPooled, named }: PostgresReport): Judged {
  if (!isPooled) return { level: 'good', what: 'a direct connection: workers are told of new runs' };
  if (!named) return { level: 'good', what: 'a pooler, and named=false: workers poll' };
  const advice = 'If it pools by transaction, add ?named=false, or connect to the server directly.';
  return { level: 'fair', what: 'a pooler is between this program and the server', advice };
}
