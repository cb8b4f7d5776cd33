import type { RunsQuery } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { reportCorruption } from '../report-corruption.ts';
import { checkRuns } from './check-runs.ts';
import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import { placesOf, type RunPlace } from './run-places.ts';
import { headerOf, type KnownRun } from './run-row.ts';
import type { Tables } from './tables.ts';

type QueryForOne = RunsQuery & { readonly runId: string };

/** What is asked most of all: one run by its id, and nothing else about it. */
function isForOne(query: RunsQuery): query is QueryForOne {
  if (query.runId === undefined || query.limit < 1) return false;
  return Object.entries(query).every(([name, value]) => value === undefined || forOne.has(name));
}

const forOne: ReadonlySet<string> = new Set(['runId', 'order', 'limit', 'onCorrupt']);

/** Answers queries over run headers. */
export class RunSelector {
  readonly #connection: Connection;
  readonly #tables: Tables;

  constructor(connection: Connection, tables: Tables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  /** @throws HOLDFAST_CORRUPT */
  select(query: RunsQuery): readonly RunHeader[] {
    if (isForOne(query)) return orTell(query, () => this.#one(query.runId)) ?? [];
    if (isForAll(query) || query.onCorrupt !== undefined) return this.#allOf(query);
    return this.#byKeys(query) ?? this.#places(query, 'run').map(({ key }) => this.#read(key, query));
  }

  /** Most runs are created at times of their own: indexes tell their order then, but where a page ends between equals. */
  #byKeys(query: RunsQuery): readonly RunHeader[] | undefined {
    const places = this.#places({ ...query, limit: query.limit + 1 }, 'key');
    const page = places.slice(0, query.limit);
    if (page.length > 0 && page.at(-1)?.createdAt === places[query.limit]?.createdAt) return undefined;
    const sign = query.order === 'newest' ? -1 : 1;
    const headers = page.map(({ key }) => this.#read(key, query));
    return headers.toSorted((a, b) => sign * (a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : 1)));
  }

  /** Goes past what is corrupt, where that is told, and looks closely where all is asked for. */
  #allOf(query: RunsQuery): readonly RunHeader[] {
    const headers: RunHeader[] = [];
    const looksAtAll = isForAll(query);
    for (let after = query.after; ; ) {
      const limit = query.limit - headers.length;
      const places = this.#places({ ...query, after, limit }, 'run');
      if (looksAtAll && query.hidden === false && places.length < limit) {
        orTell(query, () => checkRuns(this.#connection, this.#tables.names));
      }
      for (const { key } of places) {
        const read = (): RunHeader => (looksAtAll ? this.#whole(this.#tables.runs.at(key)) : this.#read(key, query));
        const header = orTell(query, read);
        if (header !== undefined) headers.push(header);
      }
      const last = places.at(-1);
      if (last !== undefined) after = { createdAt: last.createdAt, runId: last.next as string };
      // Less than a page is the end; corrupt ones that were passed over are made up for.
      if (places.length < limit || headers.length === query.limit) return headers;
    }
  }

  #one(runId: string): readonly RunHeader[] {
    const known = this.#tables.runs.find(runId);
    return known === undefined ? [] : [this.#whole(known)];
  }

  /** With all that leads to it: what a list says of a run does not depend on that, and it takes as long again. */
  #whole(known: KnownRun): RunHeader {
    this.#tables.runs.checkTags(known.row);
    return headerOf(known);
  }

  /** A tag that led to a run has to be one of the run's own. */
  #read(key: number, { tags = {} }: RunsQuery): RunHeader {
    const header = headerOf(this.#tables.runs.at(key));
    for (const [name, value] of Object.entries(tags)) {
      if (header.tags[name] === value) continue;
      throw corrupt({ table: 'tags', runId: header.runId }, `the tag ${JSON.stringify(name)} is none of the run's`);
    }
    return header;
  }

  #places(query: RunsQuery, next: 'run' | 'key'): readonly RunPlace[] {
    return placesOf({ connection: this.#connection, names: this.#tables.names, next }, query);
  }
}

/** Whoever lists all runs that are seen, or all that are deleted, and says so, is looking whether all is there. */
function isForAll(query: RunsQuery): boolean {
  const named = Object.entries(query).filter(([, filter]) => filter !== undefined);
  return query.hidden !== undefined && named.every(([name]) => wholeList.has(name));
}

const wholeList: ReadonlySet<string> = new Set(['hidden', 'order', 'after', 'limit', 'onCorrupt']);

/** Reads something; corruption is told to whoever asked to be told. */
function orTell<T>(query: RunsQuery, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return reportCorruption(query, error);
  }
}
