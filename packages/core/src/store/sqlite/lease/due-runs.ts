import type { GraphName } from '../../contract/lease.ts';
import { corrupt } from '../../table/corrupt.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqliteValue } from '../connection/database.ts';

interface DueOptions {
  readonly graphs: readonly GraphName[];
  /** Whose refusals count. */
  readonly worker: string;
  /** Runs that these lease are not free; undefined: none that anyone leases is. */
  readonly living: ReadonlyMap<string, number> | undefined;
  readonly limit: number;
}

/** A run that wakes by itself. */
export interface WakingRun {
  readonly key: number;
  readonly run: string;
  readonly wakeAt: number;
}

/** A list of runs that may be free, in the order of their wake times within each graph and version. */
interface WakingList {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SqliteValue[];
}

const wakes = 'r.wakeAt IS NOT NULL AND r.kind = 0 AND r.state < 8';

/** Runs that nobody leases; in the words of their index. */
const freeRuns: WakingList = {
  from: 'runs AS r INDEXED BY runs_due',
  where: `r.worker IS NULL AND ${wakes}`,
  values: [],
};

function runsOf(worker: string): WakingList {
  return { from: 'runs AS r INDEXED BY runs_worker', where: `r.worker = ? AND ${wakes}`, values: [worker] };
}

const isRefused = `EXISTS (SELECT 1 FROM refusals AS f JOIN heads AS h ON h.run = f.run AND h.seq = f.head
  WHERE f.run = r.key AND f.worker = ?)`;

/** Runs of these graphs that are free, the one that wakes first first. Reads only the front of each list. */
export function wakingRuns(connection: Connection, options: DueOptions): readonly WakingRun[] {
  const { graphs, worker, living, limit } = options;
  const dead = living === undefined ? [] : lessees(connection).filter((lessee) => !living.has(lessee));
  const found = new Map<number, WakingRun>();
  for (const list of [freeRuns, ...dead.map(runsOf)]) {
    for (const run of front(connection, list, { graphs, worker, limit })) found.set(run.key, run);
  }
  const inOrder = [...found.values()].toSorted((a, b) => a.wakeAt - b.wakeAt || (a.run < b.run ? -1 : 1));
  return inOrder.slice(0, limit);
}

/** When the first run of these graphs that this worker leases is due; undefined if there is none. */
export function firstWakeAt(
  connection: Connection,
  { leasedBy, ...options }: Pick<DueOptions, 'graphs' | 'worker'> & { readonly leasedBy: string },
): number | undefined {
  const times = front(connection, runsOf(leasedBy), { ...options, limit: 1 }).map(({ wakeAt }) => wakeAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The runs of each graph and version at the front of a list. */
function front(
  connection: Connection,
  list: WakingList,
  { graphs, worker, limit }: Omit<DueOptions, 'living'>,
): readonly WakingRun[] {
  return codes(connection, graphs, list).flatMap(({ graph, version }) => {
    const sql = `SELECT r.key, r.run, r.wakeAt FROM ${list.from} WHERE ${list.where} AND r.graph = ? AND r.version = ?
      AND NOT ${isRefused} ORDER BY r.wakeAt, r.run LIMIT ?`;
    return connection.all(sql, ...list.values, graph, version, worker, limit) as WakingRun[];
  });
}

/** The workers that runs name, living or not. */
function lessees(connection: Connection): readonly string[] {
  const list = { from: 'runs AS r INDEXED BY runs_worker', where: 'r.worker IS NOT NULL', values: [] };
  const workers = distinct(connection, 'worker', list) as string[];
  // A name that is no text any more is bound as another one, and its runs would never be found.
  for (const worker of workers) {
    if (connection.value('SELECT key FROM runs WHERE worker = ? LIMIT 1', worker) === undefined)
      throw corrupt({ table: 'runs' }, `the worker ${JSON.stringify(worker)} cannot be looked up`);
  }
  return workers;
}

interface Code {
  readonly graph: number;
  readonly version: number;
}

function codes(connection: Connection, graphs: readonly GraphName[], list: WakingList): readonly Code[] {
  return graphs.flatMap(({ name, version }) => {
    const graph = connection.value('SELECT key FROM graphs WHERE name = ?', name) as number | undefined;
    if (graph === undefined) return [];
    if (version !== undefined) return [{ graph, version }];
    const ofGraph = { ...list, where: `${list.where} AND r.graph = ?`, values: [...list.values, graph] };
    return (distinct(connection, 'version', ofGraph) as number[]).map((version) => ({ graph, version }));
  });
}

/** The few values that a column has among many rows: each is found by one step in the index. */
function distinct(connection: Connection, column: string, list: WakingList): readonly SqliteValue[] {
  const least = `SELECT min(r.${column}) FROM ${list.from} WHERE ${list.where}`;
  const sql = `WITH RECURSIVE found (value) AS (${least}
    UNION SELECT (${least} AND r.${column} > value) FROM found WHERE value IS NOT NULL)
    SELECT value FROM found WHERE value IS NOT NULL`;
  return connection.allColumns(sql, ...list.values, ...list.values).map(([value]) => value as SqliteValue);
}
