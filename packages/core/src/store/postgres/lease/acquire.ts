import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { type LeasedRun as ContractRun, loadLimit } from '../../contract/lease.ts';
import { isHidden } from '../../table/table-run.ts';
import { type Database, type Session, serverTime } from '../connection/database.ts';
import { type LoadedRun, loadRuns } from '../run/load-stored-run.ts';
import { headerOf, type KnownRun } from '../run/run-row.ts';
import { changed, type RunWrite, writeRuns } from '../run/write-runs.ts';
import type { WakingRun } from './due-runs.ts';

/** Runs that someone else is leasing right now, or has leased since they were found, are skipped. */
const lockHeads = `SELECT h.key::text, r.run FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS c(key, worker, at)
  JOIN @heads h ON h.key = c.key JOIN @runs r ON r.key = c.key AND r.worker IS NOT DISTINCT FROM c.worker
  ORDER BY c.at LIMIT $3::int FOR UPDATE OF h SKIP LOCKED`;

/**
 * Renewals of these leases wait until the runs are leased or not: a worker that has renewed its lease, and then finds its
 * fence at a run, has that run.
 */
const lockLeases = `SELECT worker, died, until FROM @leases WHERE worker = ANY($2::text[]) ORDER BY worker FOR UPDATE`;
const ended = `WITH l AS (${lockLeases}) SELECT l.worker, l.died, l.until > ${serverTime} FROM l`;

/** A run that was leased, and its rows, to remember. */
export interface LeasedRun {
  readonly stored: ContractRun;
  readonly write: RunWrite;
}

/** What was leased, and what could not be because it is corrupt. */
export interface Acquired {
  readonly leased: readonly LeasedRun[];
  readonly corrupt: ReadonlyMap<string, Error>;
}

interface AcquireOptions {
  readonly worker: string;
  readonly limit: number;
}

/** Leases runs that were found, in one transaction: those that are as they were found and that nobody else is leasing. */
export function acquireRuns(
  database: Database,
  found: readonly WakingRun[],
  options: AcquireOptions,
): Promise<Acquired> {
  const { worker, limit } = options;
  return database.transaction(async (session) => {
    const lessees = found.map((run) => run.worker);
    const locked = await session.rows(lockHeads, [found.map(({ key }) => key), lessees, limit]);
    const names = new Map(locked.map(([key, run]) => [key as string, run as string]));
    const { dead, alive } = await lockLessees(session, lessees, database.givenTime());
    // A later statement: it sees what was committed before the lock was granted.
    const load = await loadRuns(session, [...names.values()], { limit: loadLimit });
    const corrupt = new Map<string, Error>();
    const leased: LeasedRun[] = [];
    for (const { key, worker: before } of found) {
      const name = names.get(key);
      if (name === undefined || (before !== null && before !== worker && alive.has(before))) continue;
      try {
        const loaded = load(name);
        if (loaded !== undefined && isFree(loaded, before)) leased.push(leaseOf(loaded, worker, dead));
      } catch (error) {
        corrupt.set(key, corruption(error));
      }
    }
    await writeRuns(
      session,
      leased.map(({ write }) => write),
    );
    return { leased, corrupt };
  });
}

/** Whether the run is as it was found. */
function isFree({ known: { row } }: LoadedRun, lessee: string | null): boolean {
  return isLeasable(row) && row.worker === lessee && row.wakeAt !== null;
}

/** The lease of a loaded run. A run that names a worker was left by one that died. */
export function leaseOf({ stored, known }: LoadedRun, worker: string, dead: ReadonlySet<string>): LeasedRun {
  const { fence, claims } = known.head;
  const after = changed(
    known,
    { worker },
    { fence: fence + 1, claims: known.row.worker === null ? claims : claims + 1 },
  );
  const lessee = known.row.worker;
  const takenFrom =
    lessee === null ? undefined : ({ worker: lessee, noticed: dead.has(lessee) ? 'death' : 'lease' } as const);
  const header = headerOf(after);
  return {
    stored: takenFrom === undefined ? { ...stored, header } : { ...stored, header, takenFrom },
    write: { before: known, after },
  };
}

/** Workers whose runs may be free. */
export interface Lessees {
  /** They were found dead before their leases had ended. */
  readonly dead: ReadonlySet<string>;
  /** They have renewed their leases since their runs were found. */
  readonly alive: ReadonlySet<string>;
}

/** What the leases of these workers say, which do not change until the transaction ends. */
export async function lockLessees(
  session: Session,
  workers: readonly (string | null)[],
  givenTime: number | null,
): Promise<Lessees> {
  const names = [...new Set(workers.filter((worker) => worker !== null))];
  const rows = names.length === 0 ? [] : await session.rows(ended, [givenTime, names]);
  const those = (at: number): ReadonlySet<string> =>
    new Set(rows.filter((row) => row[at] === true).map(([worker]) => worker as string));
  return { dead: those(1), alive: those(2) };
}

/** Whether workers lease runs like this: a visible graph run. */
export function isLeasable(row: KnownRun['row']): boolean {
  return row.kind === 0 && !isHidden(row);
}

/** The error, if it means corruption. @throws any other error */
export function corruption(error: unknown): Error {
  if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return error;
  throw error;
}
