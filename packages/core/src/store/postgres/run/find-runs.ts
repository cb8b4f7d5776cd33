import type { Session } from '../connection/database.ts';
import { type KnownRun, readRun, runJoin, runJson, voidState } from './run-row.ts';

/** A run, or only the epoch to create it with. */
export interface Found {
  readonly known: KnownRun | undefined;
  readonly epoch: number;
}

const nothing: Found = { known: undefined, epoch: 0 };
const byRun = `SELECT ${runJson} FROM @runs r ${runJoin} WHERE r.run = ANY($1::text[])`;

/** The runs with these ids, as they are now. @throws HOLDFAST_CORRUPT */
export async function findRuns(session: Session, runIds: readonly string[]): Promise<(runId: string) => Found> {
  const found = new Map<string, Found>();
  const rows = runIds.length === 0 ? [] : await session.rows(byRun, [runIds]);
  for (const [json] of rows) {
    const run = readRun(json);
    const isVoid = run.row.state === voidState;
    found.set(run.row.run, isVoid ? { known: undefined, epoch: run.row.birth } : { known: run, epoch: run.head.epoch });
  }
  return (runId) => found.get(runId) ?? nothing;
}

/** The run with this id, as it is now. @throws HOLDFAST_CORRUPT */
export async function findRun(session: Session, runId: string): Promise<Found> {
  return (await findRuns(session, [runId]))(runId);
}
