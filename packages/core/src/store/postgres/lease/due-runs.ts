import type { GraphName } from '../../contract/lease.ts';
import { type Database, serverTime } from '../connection/database.ts';

interface DueOptions {
  readonly worker: string;
  readonly leaseMs: number;
  readonly graphs: readonly GraphName[];
  /** Whether the runs of dead workers are asked for too. */
  readonly takeover: boolean;
  readonly limit: number;
}

/** A run that wakes by itself, and that no live worker leases. */
export interface WakingRun {
  readonly key: string;
  readonly wakeAt: number;
  readonly worker: string | null;
}

/** Who waits for what. */
export interface DueRuns {
  /** The server's time. */
  readonly now: number;
  /** The one that wakes first comes first. */
  readonly waking: readonly WakingRun[];
  /** When the first run of another live worker can be leased. */
  readonly nextTakeover: number;
}

/** In the words of the index. */
const free = 'r.worker IS NULL AND r.wake_at IS NOT NULL AND r.kind = 0 AND r.state < 8';
const leased = 'r.wake_at IS NOT NULL AND r.kind = 0 AND r.state < 8';
const isRefused = `EXISTS (SELECT 1 FROM @refusals f JOIN @heads h ON h.key = f.key AND h.seq = f.head
  WHERE f.key = r.key AND f.worker = $2)`;
const nextVersion = (condition: string): string =>
  `SELECT r.version FROM @runs r WHERE r.graph = a.graph AND ${free} AND ${condition} ORDER BY r.version LIMIT 1`;
const ofLessee = (lessee: string, limit: string): string => `SELECT r.key, r.wake_at, r.run, r.worker FROM @runs r
  WHERE r.worker = ${lessee} AND r.graph = a.graph AND (a.version IS NULL OR r.version = a.version) AND ${leased}
    AND NOT ${isRefused} ORDER BY r.wake_at, r.run LIMIT ${limit}`;

/**
 * Keeps the worker alive, and finds what it may lease. Each list is read from its front: free runs by graph and version,
 * the others by the worker that leases them, the few of which are found by steps in the index.
 */
const findDue = `WITH RECURSIVE t AS MATERIALIZED (SELECT ${serverTime} AS now),
beat AS (INSERT INTO @leases (worker, until) SELECT $2, t.now + $3::float8 FROM t
  ON CONFLICT (worker) DO UPDATE SET until = EXCLUDED.until, died = FALSE),
asked AS (SELECT DISTINCT a.graph, a.version FROM unnest($4::text[], $5::int[]) AS a(graph, version)),
lessee(worker) AS (
  (SELECT r.worker FROM @runs r WHERE r.worker IS NOT NULL AND $6::boolean ORDER BY r.worker LIMIT 1)
  UNION ALL SELECT (SELECT r.worker FROM @runs r WHERE r.worker > l.worker ORDER BY r.worker LIMIT 1)
    FROM lessee l WHERE l.worker IS NOT NULL),
other AS (SELECT l.worker, e.until FROM lessee l LEFT JOIN @leases e ON e.worker = l.worker
  WHERE l.worker IS NOT NULL AND l.worker <> $2),
code AS (SELECT a.graph, c.version FROM asked a CROSS JOIN LATERAL (
  WITH RECURSIVE v(version) AS ((${nextVersion('a.version IS NULL')})
    UNION ALL SELECT (${nextVersion('r.version > v.version')}) FROM v WHERE v.version IS NOT NULL)
  SELECT v.version FROM v WHERE v.version IS NOT NULL UNION ALL SELECT a.version WHERE a.version IS NOT NULL) c),
waking AS (
  SELECT x.* FROM code a CROSS JOIN LATERAL (SELECT r.key, r.wake_at, r.run, r.worker FROM @runs r
    WHERE r.graph = a.graph AND r.version = a.version AND ${free} AND NOT ${isRefused}
    ORDER BY r.wake_at, r.run LIMIT $7::int) x
  UNION SELECT x.* FROM other o CROSS JOIN t CROSS JOIN asked a CROSS JOIN LATERAL (${ofLessee('o.worker', '$7::int')}) x
    WHERE coalesce(o.until, 0) <= t.now)
SELECT t.now,
  (SELECT json_agg(json_build_array(w.key::text, w.wake_at, w.worker) ORDER BY w.wake_at, w.run)
    FROM (SELECT * FROM waking ORDER BY wake_at, run LIMIT $7::int) w)::text,
  (SELECT min(GREATEST(x.wake_at, o.until)) FROM other o CROSS JOIN asked a
    CROSS JOIN LATERAL (${ofLessee('o.worker', '1')}) x WHERE o.until > t.now)
FROM t`;

type Cells = readonly [key: string, wakeAt: number, worker: string | null];

/** Keeps the worker alive, and finds the runs of these graphs that it may lease, now or later. */
export async function findDueRuns(database: Database, options: DueOptions): Promise<DueRuns> {
  const { worker, leaseMs, graphs, takeover, limit } = options;
  const names = graphs.map(({ name }) => name);
  const versions = graphs.map(({ version = null }) => version);
  const values = [database.givenTime(), worker, leaseMs, names, versions, takeover, limit];
  const [row] = await database.rows(findDue, values);
  const [now, json, next] = row as readonly [unknown, string | null, unknown];
  const cells = json === null ? [] : (JSON.parse(json) as readonly Cells[]);
  return {
    now: Number(now),
    waking: cells.map(([key, wakeAt, lessee]) => ({ key, wakeAt, worker: lessee })),
    nextTakeover: next === null ? Number.POSITIVE_INFINITY : Number(next),
  };
}
