import type { TrimPlan, TrimResult } from '../../contract/retention.ts';
import { hiddenBit } from '../../table/table-run.ts';
import type { Session } from '../connection/database.ts';

const keyOf = 'SELECT r.key::text FROM @runs r WHERE r.run = $1';
const visibleFork = `SELECT 1 FROM @runs r WHERE r.base = $1::bigint AND r.state & ${hiddenBit} = 0 LIMIT 1`;
/** Everything that names a run by its key; the run itself comes last. */
const statements: readonly string[] = ['rows', 'ids', 'snapshots', 'facets', 'heads', 'refusals', 'runs'].map(
  (table) => `DELETE FROM @${table} WHERE key = $1::bigint`,
);

/**
 * Removes a run that cannot be read, with whatever names its key. It reads a whole table, so it is for corrupt runs only,
 * and nothing of them can be counted. A fork that somebody may want to mend keeps its base; deleted ones do not.
 */
export async function purgeRun(session: Session, { runId, dryRun }: TrimPlan): Promise<TrimResult> {
  const [row] = await session.rows(keyOf, [runId]);
  if (row === undefined) return { ok: false, why: 'missing' };
  if ((await session.rows(visibleFork, row)).length > 0) return { ok: false, why: 'forks' };
  if (dryRun !== true) for (const sql of statements) await session.rows(sql, row);
  return { ok: true, records: 0, snapshots: 0, bytes: 0, more: false };
}
