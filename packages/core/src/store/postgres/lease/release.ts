import type { ClaimRequest } from '../../contract/lease.ts';
import { storeFault } from '../../store-fault.ts';
import { type Database, type Session, serverTime } from '../connection/database.ts';
import { type KnownRun, readRun, runJoin, runJson, sumOfRefusal } from '../run/run-row.ts';
import { changed, writeRuns } from '../run/write-runs.ts';
import { corruption } from './acquire.ts';

/** Each time, someone else has written to some of the runs. */
const mostAttempts = 50;

type Release = ClaimRequest & { readonly type: 'release' };

const endLease = 'DELETE FROM @leases WHERE worker = $1';
/** Leases that ended long ago say nothing any more. */
const forgetLeases = 'DELETE FROM @leases WHERE until < $1::float8 - 3600000';
const leasedBy = `SELECT ${runJson} FROM @runs r ${runJoin}
  WHERE r.worker = $1 AND ($2::text[] IS NULL OR r.run = ANY($2::text[])) AND NOT r.run = ANY($3::text[])`;
const dropRefusals =
  'DELETE FROM @refusals f USING @heads h WHERE f.key = $1::bigint AND h.key = f.key AND f.head <> h.seq';
const putRefusal = `INSERT INTO @refusals (key, worker, head, at, sum, reason)
  VALUES ($1::bigint, $2, $3::bigint, $4::float8, $5::int, $6)
  ON CONFLICT (key, worker) DO UPDATE SET head = EXCLUDED.head, at = EXCLUDED.at, sum = EXCLUDED.sum, reason = EXCLUDED.reason`;

/** Releases runs of a worker, and ends its lease if it releases all of them. Returns the time, and which are corrupt. */
export async function releaseRuns(
  database: Database,
  request: Release,
): Promise<{ readonly now: number; readonly corrupt: readonly Error[] }> {
  const { worker, runIds } = request;
  const [time] = await database.rows(`SELECT ${serverTime}`, [database.givenTime()]);
  const now = Number(time?.[0]);
  if (runIds === undefined) {
    await database.rows(endLease, [worker]);
    await database.rows(forgetLeases, [now]);
  }
  const corrupt = new Map<string, Error>();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const rows = await database.rows(leasedBy, [worker, runIds ?? null, [...corrupt.keys()]]);
    const known = rows.flatMap(([json]) => {
      try {
        return readRun(json);
      } catch (error) {
        corrupt.set((JSON.parse(json as string) as readonly [string, string])[1], corruption(error));
        return [];
      }
    });
    if (known.length === 0) return { now, corrupt: [...corrupt.values()] };
    await database.transaction((session) => releaseKnown(session, known, { request, now }));
  }
  throw storeFault({ effect: 'unknown', transient: true, cause: new Error('the runs keep changing') });
}

interface ReleaseOptions {
  readonly request: Release;
  readonly now: number;
}

/** Those that have changed meanwhile are looked at again. */
async function releaseKnown(
  session: Session,
  known: readonly KnownRun[],
  { request, now }: ReleaseOptions,
): Promise<void> {
  const { worker, refusal } = request;
  const done = await writeRuns(
    session,
    known.map((before) => ({ before, after: changed(before, { worker: null }, {}) })),
  );
  if (refusal === undefined) return;
  const reason = JSON.stringify(refusal);
  for (const { row, head } of known.filter((run) => done.has(run.row.key))) {
    await session.rows(dropRefusals, [row.key]);
    const sum = sumOfRefusal(row.key, head.seq, [worker, reason, now]);
    await session.rows(putRefusal, [row.key, worker, head.seq, now, sum, reason]);
  }
}
