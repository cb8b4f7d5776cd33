import type { RunsQuery } from '../contract/read.ts';
import type { Connection } from './connection.ts';
import { mergeLists } from './merge-lists.ts';
import { type Condition, conditionsOf, pastPlace } from './run-filter.ts';
import { choosePath, type RunList } from './run-path.ts';
import type { RunNames } from './run-row.ts';

/** A run's place in the order of creation. */
export interface RunPlace {
  readonly key: number;
  readonly createdAt: number;
  /** What tells runs that were created at the same time apart: the id, or the key. */
  readonly next: string | number;
}

interface PlacesOptions {
  readonly connection: Connection;
  readonly names: RunNames;
  /** The order of ids is the one that is asked for. That of keys is the one that indexes have: they are enough for it. */
  readonly next: 'run' | 'key';
}

/** The places of the runs that meet a query: most of what several lists give is left out again. */
export function placesOf(options: PlacesOptions, query: RunsQuery): readonly RunPlace[] {
  const path = choosePath(options, query);
  const conditions = conditionsOf(query);
  const sign = query.order === 'newest' ? -1 : 1;
  return mergeLists<RunPlace>({
    lists: path.map((list) => (after, count) => {
      const limit = list.unordered === true ? Math.max(count, query.limit) : count;
      return readPlaces(options, { query: { ...query, limit }, list, conditions, after });
    }),
    compare: (a, b) => sign * (a.createdAt - b.createdAt || (a.next < b.next ? -1 : 1)),
    limit: query.limit,
  });
}

interface PageOptions {
  readonly query: RunsQuery;
  readonly list: RunList;
  readonly conditions: readonly Condition[];
  /** The last that was read of the list. */
  readonly after: RunPlace | undefined;
}

function readPlaces({ connection, next }: PlacesOptions, page: PageOptions): readonly RunPlace[] {
  const { query, list, after } = page;
  const { from, join, createdAt } = list;
  const nextColumn = next === 'run' ? 'r.run' : list.key;
  const conditions = [list, ...page.conditions, ...pastPage(query, createdAt)];
  if (after !== undefined) {
    const columns = [createdAt, nextColumn] as const;
    conditions.push(...pastPlace({ order: query.order, columns, after: [after.createdAt, after.next] }));
  }
  const asksHeads = conditions.some(({ sql }) => sql.includes('h.')) && !join.includes('heads AS h');
  const direction = query.order === 'newest' ? 'DESC' : 'ASC';
  const sql = `SELECT ${list.key} AS key, ${createdAt} AS createdAt${next === 'run' ? ', r.run AS run' : ''}
    FROM ${from} ${join}
    ${asksHeads ? 'JOIN heads AS h ON h.run = r.key' : ''}
    WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}
    ORDER BY ${createdAt} ${direction}, ${nextColumn} ${direction} LIMIT ?`;
  const rows = connection.allColumns(sql, ...conditions.flatMap(({ values }) => values), query.limit);
  return rows.map(
    (columns) => ({ key: columns[0], createdAt: columns[1], next: columns[next === 'run' ? 2 : 0] }) as RunPlace,
  );
}

function pastPage({ order, after }: RunsQuery, createdAt: string): readonly Condition[] {
  if (after === undefined) return [];
  return pastPlace({ order, columns: [createdAt, 'r.run'], after: [after.createdAt, after.runId] });
}
