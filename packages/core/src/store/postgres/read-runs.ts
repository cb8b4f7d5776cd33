import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunsPage, RunsQuery } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { selectRuns } from '../select-runs.ts';
import { corrupt } from '../table/corrupt.ts';
import type { Database, Session } from './connection/database.ts';
import { checkFacets, checkTables } from './run/check-runs.ts';
import { listRuns } from './run/run-list.ts';
import { headerOf, type KnownRun, readRun, runJoin, runJson } from './run/run-row.ts';

const named = `SELECT ${runJson} FROM @runs r ${runJoin} WHERE r.run = ANY($1::text[]) AND r.state < 64`;
/** Postgres keeps no NUL, and half a pair of surrogates is sent as another character: no run has such a text. */
const unstorable = /\0|\p{Surrogate}/u;

/** The headers of the runs that meet a query, in its order. What is corrupt is told of and left out. */
export async function readRuns(database: Pick<Database, 'rows' | 'snapshot'>, query: RunsQuery): Promise<RunsPage> {
  const corrupt: HoldfastError[] = [];
  const { runIds } = query;
  if (textsOf(query).some((text) => unstorable.test(text))) return { headers: [], corrupt };
  if (runIds !== undefined) {
    const headers = await readNamed(database, runIds, corrupt);
    return { headers: selectRuns(headers, query), corrupt };
  }
  // What is looked at closely has to be of one time.
  const page = (session: Session): Promise<readonly RunHeader[]> => readPage(session, query, corrupt);
  const headers = isForAll(query) ? await database.snapshot(page) : await page(database);
  return { headers, corrupt };
}

function textsOf({
  tags = {},
  graph = '',
  node = '',
  idPrefix = '',
  parentId = '',
  forkOf = '',
  worker = '',
}: RunsQuery): readonly string[] {
  return [...Object.entries(tags).flat(), graph, node, idPrefix, parentId, forkOf, worker];
}

/** Reads something; what is corrupt is added to the list. */
function orTell<T>(corrupt: HoldfastError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
    corrupt.push(error);
    return undefined;
  }
}

async function readNamed(
  session: Session,
  runIds: readonly string[],
  corrupt: HoldfastError[],
): Promise<readonly RunHeader[]> {
  const rows = await session.rows(named, [runIds]);
  return rows.flatMap(([json]) => orTell(corrupt, () => headerOf(readRun(json))) ?? []);
}

/** Goes past what is corrupt, and looks closely where everything is asked for. */
async function readPage(session: Session, query: RunsQuery, corrupt: HoldfastError[]): Promise<readonly RunHeader[]> {
  const headers: RunHeader[] = [];
  const isWhole = isForAll(query);
  for (let { after } = query; ; ) {
    const limit = query.limit - headers.length;
    const listed = await listRuns(session, { ...query, after, limit });
    const isLast = listed.length < limit;
    if (isWhole && isLast && query.hidden === false) corrupt.push(...(await checkTables(session)));
    const known = listed.flatMap(({ json }) => orTell(corrupt, () => readRun(json)) ?? []);
    if (isWhole) corrupt.push(...(await checkFacets(session, known)));
    for (const run of known) {
      const header = orTell(corrupt, () => matching(run, query));
      if (header !== undefined) headers.push(header);
    }
    after = listed.at(-1) ?? after;
    if (isLast || headers.length === query.limit) return headers;
  }
}

/** A facet that led to a run has to be the run's own. The frontier of a leased run only contains the text. */
function matching(known: KnownRun, query: RunsQuery): RunHeader | undefined {
  const header = headerOf(known);
  const { tags, node, waits } = query;
  if (tags === undefined && node === undefined && waits === undefined) return header;
  if (selectRuns([header], { ...query, after: undefined }).length === 1) return header;
  if (node !== undefined && known.row.worker !== null) return undefined;
  throw corrupt(
    { table: 'facets', runId: header.runId },
    'a search would find the run by values that it does not have',
  );
}

/** A list of all visible or all hidden runs is a check that none is missing: `verify` asks for both. */
function isForAll(query: RunsQuery): boolean {
  const filters = Object.entries(query).filter(([, filter]) => filter !== undefined);
  return query.hidden !== undefined && filters.every(([name]) => wholeList.has(name));
}

const wholeList: ReadonlySet<string> = new Set(['hidden', 'order', 'after', 'limit']);
