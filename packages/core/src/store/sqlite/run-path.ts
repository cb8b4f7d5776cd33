import type { RunsQuery } from '../contract.ts';
import type { Connection } from './connection.ts';
import { distinctValues } from './distinct-values.ts';
import { admits, type Condition, createdBefore, prefixRange } from './run-filter.ts';
import { kindBit } from './wait-kinds.ts';

/** One way to the runs that a query can be about: lists that an index has in the order of creation. */
export interface Path {
  readonly from: string;
  /** The column that the order of creation goes by. */
  readonly createdAt: string;
  /** A run is in one of them at most. */
  readonly lists: readonly Condition[];
}

/** A path longer than this is long, however much longer. */
const countTo = 2_000;
/** Runs with a prefix are not in the order of creation: so many can be sorted for a page. */
const sortTo = 20_000;

/** The shortest path to all runs that the query can be about; its conditions are looked at on the way. */
export function choosePath(connection: Connection, query: RunsQuery): Path {
  if (query.run !== undefined) return byRow('runs AS r', [{ sql: 'r.run = ?', values: [query.run] }]);
  const narrow = [...narrowPaths(connection, query)];
  const wide = query.graph === undefined ? byState(connection, query) : byGraph(connection, query, query.graph);
  const shortest = narrow.length === 0 ? wide : shortestOf(connection, [...narrow, wide]);
  if (query.idPrefix === undefined || query.idPrefix === '') return shortest;
  const prefix = byPrefix(query.idPrefix);
  const count = countOf(connection, prefix, sortTo);
  return count < sortTo && count <= countOf(connection, shortest, sortTo) ? prefix : shortest;
}

function shortestOf(connection: Connection, paths: readonly Path[]): Path {
  const counted = paths.map((path) => ({ path, count: countOf(connection, path, countTo) }));
  return counted.reduce((best, next) => (next.count < best.count ? next : best)).path;
}

function byRow(from: string, lists: readonly Condition[]): Path {
  return { from, createdAt: 'r.createdAt', lists };
}

function* narrowPaths(
  connection: Connection,
  { baseRun, parent, tags = {}, waits }: RunsQuery,
): Generator<Path, void, void> {
  if (baseRun !== undefined) {
    const base = connection.value('SELECT key FROM runs WHERE run = ?', baseRun);
    yield byRow('runs AS r INDEXED BY runs_base', base === undefined ? [] : [{ sql: 'r.base = ?', values: [base] }]);
  }
  if (parent !== undefined)
    yield byRow('runs AS r INDEXED BY runs_parent', [{ sql: 'r.parent = ?', values: [parent] }]);
  for (const [name, value] of Object.entries(tags)) {
    const list = { sql: 't.name = ? AND t.value = ? AND r.createdAt = t.createdAt', values: [name, value] };
    yield { from: 'tags AS t CROSS JOIN runs AS r ON r.key = t.run', createdAt: 't.createdAt', lists: [list] };
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

function byState(connection: Connection, query: RunsQuery): Path {
  const from = 'runs INDEXED BY runs_state';
  const states = distinctValues(connection, { column: 'state', from, where: 'TRUE', values: [] }) as number[];
  return byRow('runs AS r INDEXED BY runs_state', stateLists(query, states));
}

function byGraph(connection: Connection, query: RunsQuery, name: string): Path {
  const graph = connection.value('SELECT key FROM graphs WHERE name = ?', name);
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
function countOf(connection: Connection, { from, lists }: Path, most: number): number {
  let count = 0;
  for (const { sql, values } of lists) {
    const limited = `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${sql} LIMIT ?)`;
    count += connection.value(limited, ...values, most - count) as number;
  }
  return count;
}
