import type { GraphName } from '../contract/lease.ts';
import type { Connection } from './connection.ts';
import type { SqliteValue } from './database.ts';
import { distinctValues } from './distinct-values.ts';

interface DueOptions {
  readonly graphs: readonly GraphName[];
  /** The latest wake time. */
  readonly now: number;
  readonly living: ReadonlySet<string>;
  readonly limit: number;
}

interface DueRun {
  readonly key: number;
  readonly run: string;
  readonly wakeAt: number;
}

/** A list of runs that may be free, in the order of their wake times within each graph and version. */
interface DueList {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SqliteValue[];
}

/** Runs that nobody holds; in the words of their index. */
const freeRuns: DueList = {
  from: 'runs INDEXED BY runs_free',
  where: 'worker IS NULL AND wakeAt IS NOT NULL AND loop = 0 AND (state & 8) = 0',
  values: [],
};

function runsHeldBy(worker: string): DueList {
  return {
    from: 'runs INDEXED BY runs_held',
    where: 'worker = ? AND wakeAt IS NOT NULL AND loop = 0 AND (state & 8) = 0',
    values: [worker],
  };
}

/** The keys of due runs that no living worker holds, the longest due first. Reads only the front of each list. */
export function dueRuns(connection: Connection, { graphs, now, living, limit }: DueOptions): readonly number[] {
  const dead = holders(connection).filter((worker) => !living.has(worker));
  const found = new Map<number, DueRun>();
  for (const list of [freeRuns, ...dead.map(runsHeldBy)]) {
    for (const { graph, version } of codes(connection, graphs, list)) {
      const sql = `SELECT key, run, wakeAt FROM ${list.from} WHERE ${list.where} AND graph = ? AND version = ?
        AND wakeAt <= ? ORDER BY wakeAt, run LIMIT ?`;
      const due = connection.all(sql, ...list.values, graph, version, now, limit) as DueRun[];
      for (const run of due) found.set(run.key, run);
    }
  }
  const inOrder = [...found.values()].toSorted((a, b) => a.wakeAt - b.wakeAt || (a.run < b.run ? -1 : 1));
  return inOrder.slice(0, limit).map(({ key }) => key);
}

/** The workers that runs name, living or not. */
function holders(connection: Connection): readonly string[] {
  const held = { from: 'runs INDEXED BY runs_held', where: 'worker IS NOT NULL', values: [] };
  return distinctValues(connection, { column: 'worker', ...held }) as string[];
}

interface Code {
  readonly graph: number;
  readonly version: number;
}

function codes(connection: Connection, graphs: readonly GraphName[], list: DueList): readonly Code[] {
  return graphs.flatMap(({ name, version }) => {
    const graph = connection.value('SELECT key FROM graphs WHERE name = ?', name) as number | undefined;
    if (graph === undefined) return [];
    const { from, where, values } = list;
    const ofGraph = { column: 'version', from, where: `${where} AND graph = ?`, values: [...values, graph] };
    const versions = version === undefined ? (distinctValues(connection, ofGraph) as number[]) : [version];
    return versions.map((version) => ({ graph, version }));
  });
}
