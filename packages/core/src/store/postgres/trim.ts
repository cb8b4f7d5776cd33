import type { Env } from '../../env/env.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { isCorruption } from '../is-corruption.ts';
import { firstSeq, hiddenBit, lastSeq } from '../table/table-run.ts';
import type { Database, Session } from './connection/database.ts';
import { findRun } from './run/find-runs.ts';
import { type KnownRun } from './run/run-row.ts';
import { changed, writeRuns } from './run/write-runs.ts';
import { countRows, cutRows, type Freed } from './trim/cut-rows.ts';
import { dropIds, dropRemoved, removeRun } from './trim/drop-run.ts';
import { purgeRun } from './trim/purge-run.ts';
import { goesWith, isUnseen, type SnapshotCondition, SnapshotCutter } from './trim/snapshot-cutter.ts';

/** So many rows of records, snapshots and ids go with one call: a few milliseconds of work. */
const rowsPerCall = 1_000;

type Trimmed = TrimResult & { readonly ok: true };

/** The head first, as every writer does. A fork in flight holds the row of its base: this waits for it. */
const lockHead = 'SELECT h.key FROM @heads h JOIN @runs r ON r.key = h.key WHERE r.run = $1 FOR UPDATE OF h';
const lockRun = 'SELECT r.key FROM @runs r WHERE r.run = $1 FOR UPDATE OF r';
/** Only a later statement sees a fork that was in flight. */
const forksOf = 'SELECT r.base_seq FROM @runs r WHERE r.base = $1::bigint';

interface TrimOptions {
  readonly env: Pick<Env, 'random'>;
  readonly rows?: number;
}

/** Carries out a retention plan in one transaction, or refuses all of it. */
export function trimRun(
  database: Database,
  plan: TrimPlan,
  { env, rows = rowsPerCall }: TrimOptions,
): Promise<TrimResult> {
  return database.transaction(async (session) => {
    if ((await session.rows(lockHead, [plan.runId])).length > 0) await session.rows(lockRun, [plan.runId]);
    const known = await find(session, plan);
    if (known === 'corrupt') return purgeRun(session, plan);
    if (known === undefined) return (await left(session, plan, rows)) ?? { ok: false, why: 'missing' };
    const why = await refusalOf(session, known, plan);
    if (why !== undefined) return { ok: false, why };
    if (plan.dryRun === true) return count(session, known, plan);
    if (plan.remove !== true) return drop(session, known, plan, rows);
    const removal = { givenTime: database.givenTime(), env };
    if (!(await removeRun(session, known, removal))) return purgeRun(session, plan);
    return (await dropRemoved(session, plan.runId, rows)) as TrimResult;
  });
}

/** What cannot be read can still be removed. */
async function find(session: Session, { runId, remove }: TrimPlan): Promise<KnownRun | 'corrupt' | undefined> {
  try {
    return (await findRun(session, runId)).known;
  } catch (error) {
    if (remove === true && isCorruption(error)) return 'corrupt';
    throw error;
  }
}

/** A run that was removed may have left something. */
async function left(
  session: Session,
  { runId, remove, dryRun }: TrimPlan,
  rows: number,
): Promise<TrimResult | undefined> {
  return remove === true && dryRun !== true ? dropRemoved(session, runId, rows) : undefined;
}

async function refusalOf(
  session: Session,
  known: KnownRun,
  plan: TrimPlan,
): Promise<'head' | 'forks' | 'floor' | undefined> {
  if (plan.head !== undefined && plan.head !== known.head.seq) return 'head';
  if (await forksForbid(session, known, plan)) return 'forks';
  return plan.floor === undefined || (await canRaiseFloor(session, known, plan)) ? undefined : 'floor';
}

async function forksForbid(session: Session, known: KnownRun, plan: TrimPlan): Promise<boolean> {
  const { floor = 0, hide, remove } = plan;
  const bases = (await session.rows(forksOf, [known.row.key])).map(([seq]) => Number(seq));
  if (bases.length === 0 || remove === true) return bases.length > 0;
  // A fork of a journal run begins with the snapshot of its base's seq, however little of the journal that one covers.
  const going = known.row.kind === 0 ? [] : await new SnapshotCutter(session, known).find(goesWith(plan));
  const begins = new Set(going.map(({ seq }) => seq));
  return bases.some((seq) => seq < floor || (hide !== undefined && seq > hide.keepTo) || begins.has(seq));
}

async function canRaiseFloor(session: Session, known: KnownRun, { floor = 0, snapshot }: TrimPlan): Promise<boolean> {
  if (floor > known.head.seq || floor < firstSeq(known.row) - 1) return false;
  return snapshot?.covers === floor || new SnapshotCutter(session, known).covers(floor);
}

async function count(session: Session, known: KnownRun, plan: TrimPlan): Promise<Trimmed> {
  const { floor = 0, hide, remove } = plan;
  const low = remove === true ? Number.MAX_SAFE_INTEGER : floor;
  const freed = await countRows(session, known, { low, high: hide?.keepTo ?? Number.MAX_SAFE_INTEGER });
  const going = await new SnapshotCutter(session, known).find(goesWith(plan));
  return trimmed(freed, going, { more: false });
}

/** Makes all of the plan visible: the floor, or what a hidden run keeps, hides what is dropped later. */
async function drop(session: Session, known: KnownRun, plan: TrimPlan, rows: number): Promise<Trimmed> {
  const { floor = known.row.floor, hide, snapshot, ids } = plan;
  const hidden = hide && {
    state: known.row.state | hiddenBit,
    worker: null,
    top: Math.min(lastSeq(known), hide.keepTo),
  };
  const fence = known.head.fence + (hide === undefined ? 0 : 1);
  const shown = changed(known, { floor, trims: known.row.trims + 1, ...hidden }, { fence });
  await writeRuns(session, [{ before: known, after: shown, snapshot, ids }]);
  const cutter = new SnapshotCutter(session, shown);
  // Those that the new floor does not hide have to go at once.
  const unseen = isUnseen(shown.row);
  const now = await cutter.drop(seenOf(goesWith(plan), unseen));
  const later = await cutter.drop(unseen, rows);
  const freed = await cutRows(session, shown, rows);
  const hasMoreIds = await dropIds(session, shown, { before: plan.forgetIds, limit: rows });
  return trimmed(freed, [...now, ...later], { more: freed.more || later.length === rows || hasMoreIds });
}

function seenOf(going: SnapshotCondition, unseen: SnapshotCondition): SnapshotCondition {
  return (value) => `(${going(value)}) AND NOT (${unseen(value)})`;
}

function trimmed(
  { records, bytes }: Freed,
  snapshots: readonly { readonly bytes: number }[],
  { more }: { readonly more: boolean },
): Trimmed {
  const freed = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, bytes);
  return { ok: true, records, snapshots: snapshots.length, bytes: freed, more };
}
