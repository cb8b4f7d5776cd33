import type { HoldfastError } from '../../../errors/holdfast-error.ts';
import { corrupt } from '../../table/corrupt.ts';
import { facetsOf } from '../../table/facets.ts';
import type { Session } from '../connection/database.ts';
import { type KnownRun, readRun, runJoin, runJson, voidState } from './run-row.ts';

/** Rows that belong to no run: a run lacks them. What is left of removed runs waits to be dropped. */
const strays = ['rows', 'snapshots', 'ids', 'heads', 'facets', 'refusals'].map(
  (
    table,
  ) => `(SELECT '${table}', t.key::text FROM @${table} t WHERE NOT EXISTS (SELECT 1 FROM @runs r WHERE r.key = t.key)
    AND NOT EXISTS (SELECT 1 FROM @removed g WHERE g.key = t.key) LIMIT 1)`,
);
const findStrays = `SELECT * FROM (${strays.join(' UNION ALL ')}) AS strays WHERE $1`;
/** A run in a state that no list has. */
const lost = `SELECT run FROM @runs WHERE state & 7 = 7 OR state & ~31 NOT IN (0, ${voidState}) OR state & 24 = 16
  OR (state <> ${voidState} AND state & ${voidState} <> 0) LIMIT $1`;
/** No list has them, but their epochs keep late creations away. */
const voids = `SELECT ${runJson} FROM @runs r ${runJoin} WHERE r.state & $1::int <> 0`;
const facets = `SELECT f.key::text, json_agg(json_build_array(f.type, f.name, f.value))::text FROM @facets f
  JOIN @runs r ON r.key = f.key AND r.created_at = f.created_at AND r.run = f.run
  WHERE f.key = ANY($1::bigint[]) GROUP BY f.key`;

/** Finds what no single run shows: that something belongs to no run, or that a run is in no list. */
export async function checkTables(session: Session): Promise<readonly HoldfastError[]> {
  const found = await session.rows(findStrays, [true]);
  const errors = found.map(([table, key]) =>
    corrupt({ table: String(table) }, `a row belongs to no run: key ${String(key)}`),
  );
  for (const [json] of await session.rows(voids, [voidState])) {
    try {
      readRun(json);
    } catch (error) {
      errors.push(error as HoldfastError);
    }
  }
  const [run] = await session.rows(lost, [1]);
  if (run !== undefined) errors.push(corrupt({ table: 'runs', runId: String(run[0]) }, 'its state is invalid'));
  return errors;
}

/** Finds facets that are missing, so that a search would not find the run, and those that are not the run's. */
export async function checkFacets(session: Session, runs: readonly KnownRun[]): Promise<readonly HoldfastError[]> {
  const rows = runs.length === 0 ? [] : await session.rows(facets, [runs.map(({ row }) => row.key)]);
  const stored = new Map(rows.map(([key, json]) => [key as string, JSON.parse(json as string) as unknown[]]));
  return runs.flatMap((run) => {
    const { key, run: runId } = run.row;
    const found = new Set((stored.get(key) ?? []).map((facet) => JSON.stringify(facet)));
    const wanted = facetsOf(run);
    const isSame = found.size === wanted.size && [...wanted.keys()].every((name) => found.has(name));
    return isSame ? [] : [corrupt({ table: 'facets', runId }, 'they are not those of the run')];
  });
}
