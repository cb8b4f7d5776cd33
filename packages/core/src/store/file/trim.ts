import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import type { RunHeader } from '../contract/run.ts';
import { isCorruption } from '../is-corruption.ts';
import { undone, undoneInDoubt } from './errors.ts';
import { isRunFile, pathInside, trashName } from './folder/names.ts';
import { removeFolder } from './folder/remove-folder.ts';
import { randomHex } from './lock/store-lock.ts';
import type { FileRunState } from './run/file-run-state.ts';
import { folderPath, runsFolder, segmentPath, snapshotPath } from './run/run-place.ts';
import { voidsFile } from './run/void-epochs.ts';
import { firstSeq, lastSeq, type Tail } from './segment/tail.ts';
import type { StoreParts } from './store-parts.ts';
import { cutRun } from './trim/cut-run.ts';
import { forkPointsOf } from './trim/fork-points.ts';
import type { TrimJob } from './trim/trim-job.ts';
import { planTrim } from './trim/trim-plan.ts';

type RemovedRun = Pick<TrimJob, 'parts' | 'plan' | 'place'>;

/** What became of a plan, and what is left to remove once others may write again. */
interface TrimOutcome {
  readonly result: TrimResult;
  /** A folder that waits to be deleted. */
  readonly trash?: string | undefined;
}

/** Carries out a retention plan, or refuses it whole. */
export async function trimRun(parts: StoreParts, plan: TrimPlan): Promise<TrimResult> {
  const { result, trash } = await parts.mutex.run([plan.runId], () => carryOut(parts, plan));
  // The run is gone. Whatever is left of its folder goes with the next opening.
  if (trash !== undefined) await removeFolder(parts.env.files, trash, isRunFile).catch(() => {});
  return result;
}

async function carryOut(parts: StoreParts, plan: TrimPlan): Promise<TrimOutcome> {
  const { table } = parts;
  const state = await table.state(plan.runId).catch((error: unknown) => {
    if (plan.remove !== true || !isCorruption(error)) throw error;
    return 'corrupt' as const;
  });
  if (state === undefined) return { result: { ok: false, why: 'missing' } };
  const place = table.place(plan.runId);
  if (state === 'corrupt') return removeCorrupt({ parts, plan, place });
  const forks = await forkPointsOf(parts, plan.runId);
  if (forks.unknown !== undefined && mayStrand(plan, state)) {
    // A delete can hide the run instead. Nothing is pruned that a run may still need.
    if (plan.remove !== true && plan.hide === undefined) throw forks.unknown;
    return { result: { ok: false, why: 'forks' } };
  }
  const planned = planTrim({ state, plan, bases: forks.seqs });
  if ('ok' in planned) return { result: planned };
  const job: TrimJob = { parts, plan, state, planned, place };
  const bytes = await weigh(job);
  const result = { ok: true, records: planned.records, snapshots: planned.gone.length, bytes, more: false } as const;
  if (plan.dryRun === true) return { result };
  if (plan.remove === true) {
    await keepEpoch(parts, state.tail.header);
    return { result, trash: await removeRun(job) };
  }
  await cutRun(job);
  return { result };
}

/** A commit that arrives after the run was removed is still refused. The epoch is kept first: with the run, it means nothing. */
async function keepEpoch({ mutex, voids }: StoreParts, { runId, epoch }: RunHeader): Promise<void> {
  if (epoch > 0) await mutex.run([voidsFile], () => voids.keep(runId, epoch));
}

/** Whether a fork that may begin anywhere could lose something. */
function mayStrand({ remove, hide, floor, drop }: TrimPlan, { tail }: FileRunState): boolean {
  return remove === true || floor !== undefined || drop !== undefined || (hide?.keepTo ?? Infinity) < tail.header.head;
}

/** Nothing of the run can be counted. A fork that somebody may want to mend keeps it; deleted and corrupt ones do not. */
async function removeCorrupt(run: RemovedRun): Promise<TrimOutcome> {
  const { runId } = run.plan;
  const isKept = run.parts.table.headers().some(({ forkedAt, hidden }) => forkedAt?.runId === runId && !hidden);
  if (isKept) return { result: { ok: false, why: 'forks' } };
  const result = { ok: true, records: 0, snapshots: 0, bytes: 0, more: false } as const;
  return run.plan.dryRun === true ? { result } : { result, trash: await removeRun(run) };
}

/** About how many bytes go: of a segment, the share of its records. */
async function weigh({ parts, plan, state, planned, place }: TrimJob): Promise<number> {
  const { files } = parts.env;
  let bytes = 0;
  for (const file of planned.gone) bytes += (await files.info(snapshotPath(place, file)))?.size ?? 1;
  for (const [at, first] of state.segments.entries()) {
    const next = state.segments[at + 1];
    const before = countIn(state.tail, first, next);
    const after = plan.remove === true ? 0 : countIn(planned.tail, first, next);
    if (after >= before) continue;
    const size = next === undefined ? state.end : ((await files.info(segmentPath(place, first)))?.size ?? 1);
    bytes += Math.ceil((size * (before - after)) / before);
  }
  return bytes;
}

/** How many kept records a segment has. */
function countIn(tail: Tail, first: number, next: number | undefined): number {
  const last = Math.min(lastSeq(tail), (next ?? Number.POSITIVE_INFINITY) - 1);
  return Math.max(0, last - Math.max(firstSeq(tail), first) + 1);
}

/** The run is gone when its folder has another name, durably; what is in it goes afterwards. */
async function removeRun({ parts, plan, place }: RemovedRun): Promise<string> {
  const { env, root, table, handles } = parts;
  const runs = pathInside(root, runsFolder);
  const path = folderPath(place);
  const trash = pathInside(runs, trashName(place.folder, randomHex(env, 8)));
  await handles.drop(place);
  await env.files.rename(path, trash).catch(async (cause: unknown) => {
    throw await undone(cause, async () => {});
  });
  await env.files.syncDirectory(runs).catch(async (cause: unknown) => {
    throw await undoneInDoubt(cause, () => env.files.rename(trash, path));
  });
  table.delete(plan.runId);
  return trash;
}
