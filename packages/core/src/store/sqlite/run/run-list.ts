import type { RunsQuery } from '../../contract/read.ts';
import { type Facet, facetValues } from '../../table/facets.ts';
import { hiddenBit, statesOf } from '../../table/table-run.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqliteValue } from '../connection/database.ts';
import { removedState } from './run-row.ts';

/** A condition and what is bound in it. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** Some of the runs that a query can be about, as an index has them: most in the order of creation. */
interface List extends Condition {
  readonly from: string;
  /** What leads from there to `runs r`, or nothing. */
  readonly join: string;
  /** Columns that the index has, in this order. */
  readonly createdAt: string;
  readonly key: string;
}

/** Lists longer than this are long, however much longer. */
const countTo = 2_000;
/** Past every text that begins with the same characters: nothing sorts after the last character there is. */
const lastCharacter = '\u{10ffff}';

/** A run's place in the order of creation. */
export interface RunPlace {
  readonly key: number;
  readonly createdAt: number;
  readonly runId: string;
}

/** The places of the runs that meet a query, in its order. */
export function listRuns(connection: Connection, query: RunsQuery): readonly RunPlace[] {
  const { order, limit } = query;
  const lists = chooseLists(connection, query);
  const select = (next: 'key' | 'run', most: number): readonly RunPlace[] =>
    readPlaces(connection, lists, { ...query, limit: most, next });
  // Most runs are created at times of their own: indexes have their order then, but where a page ends between equals.
  const places = select('key', limit + 1);
  const page = places.slice(0, limit);
  if (page.length > 0 && page.at(-1)?.createdAt === places[limit]?.createdAt) return select('run', limit);
  const sign = order === 'newest' ? -1 : 1;
  return page.toSorted((a, b) => sign * (a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : 1)));
}

interface PlacesQuery extends RunsQuery {
  /** What tells runs that were created at the same time apart. */
  readonly next: 'key' | 'run';
}

/** SQLite merges the lists. */
function readPlaces(connection: Connection, lists: readonly List[], query: PlacesQuery): readonly RunPlace[] {
  const conditions = conditionsOf(query);
  const direction = query.order === 'newest' ? 'DESC' : 'ASC';
  const selects = lists.map((list): Condition => {
    const all = [list, ...conditions, ...pageOf(query, list.createdAt)];
    const asksHeads = all.some(({ sql }) => sql.includes('h.'));
    const heads = asksHeads && !list.join.includes('heads') ? 'CROSS JOIN heads AS h ON h.run = r.key' : '';
    return {
      sql: `SELECT ${list.key} AS key, ${list.createdAt} AS createdAt, r.run AS run FROM ${list.from} ${list.join} ${heads}
        WHERE ${all.map(({ sql }) => sql).join(' AND ')}`,
      values: all.flatMap(({ values }) => values),
    };
  });
  const sql = `${selects.map((select) => select.sql).join(' UNION ALL ')}
    ORDER BY createdAt ${direction}, ${query.next} ${direction} LIMIT ?`;
  const rows = connection.allColumns(sql, ...selects.flatMap(({ values }) => values), query.limit);
  return rows.map(([key, createdAt, runId]) => ({ key, createdAt, runId }) as RunPlace);
}

/** Each way alone has all runs that the query can be about; the rest of its conditions are looked at on the way. */
function chooseLists(connection: Connection, query: RunsQuery): readonly List[] {
  const [only, ...others] = [...narrowLists(query)];
  if (only !== undefined && others.length === 0 && isOneFilter(query)) return only;
  const wide = wideLists(query);
  if (only === undefined) return wide;
  let best = { lists: only, count: countOf(connection, only, countTo) };
  for (const lists of [...others, wide]) {
    const count = countOf(connection, lists, best.count);
    if (count < best.count) best = { lists, count };
  }
  return best.lists;
}

/** Whether a list that one filter has is all that is asked for: there is nothing to choose then. */
function isOneFilter({ status, graph, updatedBefore, hidden = false, idPrefix }: RunsQuery): boolean {
  return !hidden && [status, graph, updatedBefore, idPrefix].every((filter) => filter === undefined);
}

function* narrowLists(query: RunsQuery): Generator<readonly List[], void, void> {
  const { forkOf, parentId, worker, tags = {}, waits, node, idPrefix = '' } = query;
  if (forkOf !== undefined) yield [byRow('runs_base', 'r.base = (SELECT key FROM runs WHERE run = ?)', forkOf)];
  if (parentId !== undefined) yield [byRow('runs_parent', 'r.parent = ?', parentId)];
  if (worker !== undefined) yield [byRow('runs_worker', 'r.worker = ?', worker)];
  for (const [name, value] of Object.entries(tags)) yield [byFacet({ type: 'tag', name, value })];
  if (waits !== undefined) yield [byFacet({ type: 'wait', name: waits, value: '' })];
  if (node !== undefined) yield [byFacet({ type: 'node', name: node, value: '' }), leased];
  if (idPrefix !== '')
    yield [byRow('sqlite_autoindex_runs_1', 'r.run >= ? AND r.run < ?', idPrefix, idPrefix + lastCharacter)];
}

function byRow(index: string, sql: string, ...values: SqliteValue[]): List {
  return { from: `runs AS r INDEXED BY ${index}`, join: '', createdAt: 'r.createdAt', key: 'r.key', sql, values };
}

function byFacet(facet: Facet): List {
  return {
    from: 'facets AS f',
    join: 'CROSS JOIN runs AS r ON r.key = f.run',
    createdAt: 'f.createdAt',
    key: 'f.run',
    sql: 'f.type = ? AND f.name = ? AND f.value = ?',
    values: facetValues(facet),
  };
}

/** Their frontiers are no facets. They may be all over the file: of those at other nodes only the head is read. */
const leased: List = {
  from: 'runs AS w INDEXED BY runs_worker',
  join: 'CROSS JOIN heads AS h ON h.run = w.key CROSS JOIN runs AS r ON r.key = w.key',
  createdAt: 'r.createdAt',
  key: 'r.key',
  sql: 'w.worker IS NOT NULL',
  values: [],
};

/** All runs of the states in question, or of the graph. None is changed before its creation, but where a clock was set back. */
function wideLists(query: RunsQuery): readonly List[] {
  const { graph, updatedBefore } = query;
  const lists = statesOf(query).map((state): List => {
    if (graph === undefined) return byRow('runs_state', 'r.state = ?', state);
    return byRow('runs_graph', 'r.graph = (SELECT key FROM graphs WHERE name = ?) AND r.state = ?', graph, state);
  });
  if (updatedBefore === undefined) return lists;
  const before = { sql: 'r.early = 0 AND r.createdAt < ?', values: [updatedBefore] };
  return [...lists.map((list) => both(list, before)), byRow('runs_early', 'r.early = 1')];
}

function both(list: List, { sql, values }: Condition): List {
  return { ...list, sql: `${list.sql} AND ${sql}`, values: [...list.values, ...values] };
}

/** How many runs the lists have; no more than are worth counting. */
function countOf(connection: Connection, lists: readonly List[], most: number): number {
  let count = 0;
  for (const { from, sql, values } of lists) {
    const limited = `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${sql} LIMIT ?)`;
    count += connection.value(limited, ...values, most - count) as number;
  }
  return count;
}

/** All conditions of a query on `runs r` and `heads h`, but for its place in the order. */
function conditionsOf(query: RunsQuery): readonly Condition[] {
  const { graph, node, waits, tags, parentId, forkOf, worker, idPrefix, updatedBefore } = query;
  const found: Condition[] = [stateOf(query)];
  const add = (sql: string, ...values: SqliteValue[]): number => found.push({ sql, values });
  if (graph !== undefined) add('r.graph = (SELECT key FROM graphs WHERE name = ?)', graph);
  if (parentId !== undefined) add('r.parent = ?', parentId);
  if (forkOf !== undefined) add('r.base = (SELECT key FROM runs WHERE run = ?)', forkOf);
  if (worker !== undefined) add('r.worker = ?', worker);
  if (idPrefix !== undefined && idPrefix !== '') add('r.run >= ? AND r.run < ?', idPrefix, idPrefix + lastCharacter);
  if (updatedBefore !== undefined) add('r.createdAt + h.age < ?', updatedBefore);
  const facets = Object.entries(tags ?? {}).map(([name, value]): Facet => ({ type: 'tag', name, value }));
  if (waits !== undefined) facets.push({ type: 'wait', name: waits, value: '' });
  for (const facet of facets) add(`EXISTS (SELECT 1 FROM facets WHERE ${ofRun})`, ...facetValues(facet));
  if (node === undefined) return found;
  // The search for a piece of text skips most; what is left is looked at as JSON. What is no JSON is corrupt, and told of.
  const isThere = `CASE WHEN json_valid(h.frontier) THEN EXISTS (SELECT 1 FROM json_each(h.frontier) WHERE value = ?)
    ELSE TRUE END`;
  add(`instr(h.frontier, ?) > 0 AND ${isThere}`, JSON.stringify(node), node);
  return found;
}

const ofRun = 'type = ? AND name = ? AND value = ? AND createdAt = r.createdAt AND run = r.key';

/** A range where it is one: SQLite makes a table of a list, each time. */
function stateOf(query: RunsQuery): Condition {
  const { status, hidden = false } = query;
  const range = hidden ? `r.state >= ${hiddenBit} AND r.state < ${removedState}` : `r.state < ${hiddenBit}`;
  return { sql: status === undefined ? range : `r.state IN (${statesOf(query).join(', ')})`, values: [] };
}

/** The part of the order past the last page. */
function pageOf({ order, after }: RunsQuery, createdAt: string): readonly Condition[] {
  if (after === undefined) return [];
  const past = order === 'oldest' ? '>' : '<';
  const sql = `${createdAt} ${past}= ? AND (${createdAt} ${past} ? OR r.run ${past} ?)`;
  return [{ sql, values: [after.createdAt, after.createdAt, after.runId] }];
}
