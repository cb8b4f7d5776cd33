import type { RunsQuery } from '../contract.ts';
import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import { distinctValues } from './distinct-values.ts';
import { admits, type Condition, createdBefore, prefixRange } from './run-filter.ts';
import type { RunNames } from './run-row.ts';
import { idleBit } from './run-state.ts';
import { kindBit } from './wait-kinds.ts';

/** Some of the runs that a query can be about, as an index has them; most are in the order of creation. */
export interface RunList extends Condition {
  /** What the condition is on: the index is enough for it. */
  readonly from: string;
  /** What leads from there to `runs r`, or nothing. */
  readonly join: string;
  /** The columns that the order of creation goes by, and that stand in the index after it. */
  readonly createdAt: string;
  readonly key: string;
  /** Is in another order: reading some of it costs as much as reading all. */
  readonly unordered?: true | undefined;
}

/** One way to all runs that a query can be about: a run is in one of its lists at most. */
export type Path = readonly RunList[];

/** A path longer than this is long, however much longer. */
const countTo = 2_000;
/** Runs with a prefix are not in the order of creation: so many can be sorted for a page. */
const sortTo = 20_000;
/** Of so many frontiers a list each can be merged for a page. */
const mostFrontiers = 200;

/** What knows where runs are. */
interface Indexes {
  readonly connection: Connection;
  readonly names: RunNames;
}

/** The shortest path to all runs that the query can be about; its conditions are looked at on the way. */
export function choosePath({ connection, names }: Indexes, query: RunsQuery): Path {
  if (query.runId !== undefined) return byRow('runs AS r', [{ sql: 'r.run = ?', values: [query.runId] }]);
  const narrow = [...narrowPaths(connection, query), ...byNode({ connection, names }, query)];
  if (narrow[0] !== undefined && isOneFilter(query)) return narrow[0];
  const wide =
    query.graph === undefined ? byState(connection, query) : byGraph({ connection, names }, query, query.graph);
  const shortest = narrow.length === 0 ? wide : shortestOf(connection, [...narrow, wide]);
  if (query.idPrefix === undefined || query.idPrefix === '') return shortest;
  const prefix = byPrefix(query.idPrefix);
  const count = countOf(connection, prefix, sortTo);
  return count < sortTo && count <= countOf(connection, shortest, sortTo) ? prefix : shortest;
}

/** Whether a path that one filter has is all that is asked for: there is nothing to choose then. */
function isOneFilter(query: RunsQuery): boolean {
  const {
    status,
    graph,
    node,
    waits,
    tags = {},
    parentId,
    forkOf: baseRun,
    idPrefix,
    updatedBefore,
    hidden = false,
  } = query;
  const others = [status, graph, node, waits, parentId, baseRun, idPrefix, updatedBefore];
  return others.filter((filter) => filter !== undefined).length + Object.keys(tags).length === 1 && !hidden;
}

function shortestOf(connection: Connection, paths: readonly Path[]): Path {
  const counted = paths.map((path) => ({ path, count: countOf(connection, path, countTo) }));
  return counted.reduce((best, next) => (next.count < best.count ? next : best)).path;
}

function byRow(from: string, conditions: readonly Condition[]): Path {
  return conditions.map(({ sql, values }) => ({ from, join: '', createdAt: 'r.createdAt', key: 'r.key', sql, values }));
}

function* narrowPaths(
  connection: Connection,
  { forkOf: baseRun, parentId, tags = {}, waits }: RunsQuery,
): Generator<Path, void, void> {
  if (baseRun !== undefined) {
    const base = connection.value('SELECT key FROM runs WHERE run = ?', baseRun);
    yield byRow('runs AS r INDEXED BY runs_base', base === undefined ? [] : [{ sql: 'r.base = ?', values: [base] }]);
  }
  if (parentId !== undefined)
    yield byRow('runs AS r INDEXED BY runs_parent', [{ sql: 'r.parent = ?', values: [parentId] }]);
  for (const [name, value] of Object.entries(tags)) {
    const join = 'CROSS JOIN runs AS r ON r.key = t.run AND r.createdAt = t.createdAt';
    const list = { sql: 't.name = ? AND t.value = ?', values: [name, value] };
    yield [{ from: 'tags AS t', join, createdAt: 't.createdAt', key: 't.run', ...list }];
  }
  if (waits !== undefined) {
    const from = 'runs INDEXED BY runs_kinds';
    const kinds = distinctValues(connection, {
      column: 'kinds',
      from,
      where: 'kinds IS NOT NULL',
      values: [],
    }) as number[];
    const lists = kinds
      .filter((bits) => (bits & kindBit(waits)) !== 0)
      .map((bits) => ({ sql: 'r.kinds = ?', values: [bits] }));
    yield byRow('runs AS r INDEXED BY runs_kinds', lists);
  }
}

/**
 * The runs that nobody works on by the frontiers that the node is in, and all others by their heads. None where there are
 * too many frontiers.
 *
 * @throws HOLDFAST_CORRUPT
 */
function byNode({ connection, names }: Indexes, { node }: RunsQuery): readonly Path[] {
  if (node === undefined) return [];
  const parked = { column: 'parked', from: 'runs INDEXED BY runs_parked', where: 'parked IS NOT NULL', values: [] };
  const keys = distinctValues(connection, { ...parked, most: mostFrontiers }) as number[];
  if (keys.length === mostFrontiers) return [];
  const lists = keys
    .filter((key) => nodesOf(names, key).includes(node))
    .map((key) => ({ sql: 'r.parked = ?', values: [key] }));
  return [[...byRow('runs AS r INDEXED BY runs_parked', lists), ...workedOn]];
}

/** They may be all over the file: of those that are at other nodes only the head is read. */
const byHead = {
  join: 'CROSS JOIN heads AS h ON h.run = w.key CROSS JOIN runs AS r ON r.key = w.key',
  createdAt: 'r.createdAt',
  key: 'r.key',
  values: [],
  unordered: true,
} as const;

/** The runs that somebody works on, in the words of their indexes. */
const workedOn: Path = [
  { ...byHead, from: 'runs AS w INDEXED BY runs_held', sql: 'w.worker IS NOT NULL' },
  {
    ...byHead,
    from: 'runs AS w INDEXED BY runs_loops',
    sql: `w.loop = 1 AND w.parked IS NULL AND (w.state & ${idleBit}) = 0`,
  },
];

function nodesOf({ frontiers }: RunNames, key: number): readonly string[] {
  const text = frontiers.nameOf(key);
  if (text === undefined) throw corrupt({ table: 'frontiers' }, `the one with key ${key} is not as it was written`);
  return JSON.parse(text) as string[];
}

function byState(connection: Connection, query: RunsQuery): Path {
  const from = 'runs INDEXED BY runs_state';
  const states = distinctValues(connection, { column: 'state', from, where: 'TRUE', values: [] }) as number[];
  return byRow('runs AS r INDEXED BY runs_state', stateLists(query, states));
}

function byGraph({ connection, names }: Indexes, query: RunsQuery, name: string): Path {
  const graph = names.graphs.find(name);
  if (graph === undefined) return byRow('runs AS r', []);
  const ofGraph = { sql: 'r.graph = ?', values: [graph] };
  const list = { column: 'state', from: 'runs AS r INDEXED BY runs_graph', where: ofGraph.sql, values: ofGraph.values };
  const lists = stateLists(query, distinctValues(connection, list) as number[]);
  return byRow(
    list.from,
    lists.map((state) => both(ofGraph, state)),
  );
}

function byPrefix(prefix: string): Path {
  return byRow('runs AS r INDEXED BY sqlite_autoindex_runs_1', [prefixRange(prefix)]);
}

function stateLists(query: RunsQuery, states: readonly number[]): readonly Condition[] {
  return states
    .filter((state) => admits(query, state))
    .map((state) => {
      const list = { sql: 'r.state = ?', values: [state] };
      const before = createdBefore(query, state);
      return before === undefined ? list : both(list, { sql: 'r.createdAt < ?', values: [before] });
    });
}

function both(a: Condition, b: Condition): Condition {
  return { sql: `${a.sql} AND ${b.sql}`, values: [...a.values, ...b.values] };
}

/** How many runs are on the path; no more than are asked for. */
function countOf(connection: Connection, path: Path, most: number): number {
  let count = 0;
  for (const { from, sql, values } of path) {
    const limited = `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${sql} LIMIT ?)`;
    count += connection.value(limited, ...values, most - count) as number;
  }
  return count;
}
