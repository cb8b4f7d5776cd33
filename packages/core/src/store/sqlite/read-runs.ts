import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunsPage, RunsQuery } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { selectRuns } from '../select-runs.ts';
import { corrupt } from '../table/corrupt.ts';
import { checkRuns } from './run/check-runs.ts';
import { listRuns } from './run/run-list.ts';
import { headerOf, type KnownRun } from './run/run-row.ts';
import type { Tables } from './run/tables.ts';

/** The headers of the runs that meet a query, in its order; in the transaction that is open. */
export function readRuns(tables: Tables, query: RunsQuery): RunsPage {
  const corrupt: HoldfastError[] = [];
  /** Reads something; what is corrupt is told of and left out. */
  const orTell = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
      corrupt.push(error);
      return undefined;
    }
  };
  const headers = query.runIds === undefined ? pageOf(tables, query, orTell) : named(tables, query.runIds, orTell);
  return { headers: query.runIds === undefined ? headers : selectRuns(headers, query), corrupt };
}

type OrTell = <T>(read: () => T) => T | undefined;

function named({ runs }: Tables, runIds: readonly string[], orTell: OrTell): readonly RunHeader[] {
  return [...new Set(runIds)].flatMap((runId) => {
    const known = orTell(() => runs.find(runId));
    return known === undefined ? [] : (orTell(() => headerOf(known)) ?? []);
  });
}

/** Goes past what is corrupt, and looks closely where everything is asked for. */
function pageOf(tables: Tables, query: RunsQuery, orTell: OrTell): readonly RunHeader[] {
  const headers: RunHeader[] = [];
  const isWhole = isForAll(query);
  let lastKey: number | undefined;
  for (let { after } = query; ; ) {
    const limit = query.limit - headers.length;
    const places = listRuns(tables.connection, { ...query, after, limit });
    if (isWhole && query.hidden === false && places.length < limit) orTell(() => checkRuns(tables.connection));
    for (const { key } of places) {
      const header = orTell(() => {
        const known = tables.runs.at(key);
        if (isWhole) tables.runs.checkFacets(known);
        return matching(known, query);
      });
      if (header !== undefined) headers.push(header);
    }
    const last = places.at(-1);
    // Less than a page is the end; corrupt ones that were skipped are made up for. What comes again has no place in the order.
    if (places.length < limit || headers.length === query.limit || last?.key === lastKey) return headers;
    after = last;
    lastKey = last?.key;
  }
}

/** A facet that led to a run has to be the run's own. */
function matching(known: KnownRun, query: RunsQuery): RunHeader {
  const header = headerOf(known);
  const { tags, node, waits } = query;
  if (tags === undefined && node === undefined && waits === undefined) return header;
  if (selectRuns([header], { ...query, after: undefined }).length === 1) return header;
  throw corrupt(
    { table: 'facets', runId: header.runId },
    'a search would find the run by values that it does not have',
  );
}

/** A list of all visible or all hidden runs is a check that none is missing: `verify` asks for both. */
function isForAll(query: RunsQuery): boolean {
  const named = Object.entries(query).filter(([, filter]) => filter !== undefined);
  return query.hidden !== undefined && named.every(([name]) => wholeList.has(name));
}

const wholeList: ReadonlySet<string> = new Set(['hidden', 'order', 'after', 'limit']);
