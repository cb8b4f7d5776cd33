import { faultOf } from '../../store-fault.ts';
import { inDoubt, undone } from '../errors.ts';
import { removeDurably } from '../folder/remove-durably.ts';
import { placeFile } from '../folder/write-atomically.ts';
import { type FileRunState, liveSnapshots, usedSegments } from '../run/file-run-state.ts';
import { folderPath, idsPath, segmentPath, snapshotPath } from '../run/run-place.ts';
import { encodeCommit } from '../segment/commit-lines.ts';
import { readLines } from '../segment/record-range.ts';
import { firstSeq, lastSeq, type Tail } from '../segment/tail.ts';
import { idsAfter } from './ids-after.ts';
import type { TrimJob } from './trim-job.ts';

/**
 * Cuts a run at its floor, or down to what its forks need.
 *
 * The commit that says so comes first: in the last segment, or as the first one of a new segment if records of the last one
 * go. From then on nothing outside counts, so removing it can be interrupted anywhere. What is kept of a segment is read
 * and checked first, so that no corruption is ever given a valid checksum.
 */
export async function cutRun(job: TrimJob): Promise<void> {
  const { parts, plan, state, planned, place } = job;
  const restart = restartOf(job);
  const segments = restart === undefined ? state.segments : [...state.segments, restart];
  const rewrites = await planRewrites(job, segments);
  const kept = liveSnapshots(
    planned.writes && plan.snapshot
      ? [...state.snapshots, { ...plan.snapshot, rev: planned.tail.rev }]
      : state.snapshots,
    planned.tail,
  );
  const ids = await idsAfter(job);
  const tail = ids === undefined ? planned.tail : { ...planned.tail, ids: ids.length === 0 ? null : planned.tail.rev };
  const written = await parts.writer.write({
    place,
    state,
    // The lines that named the snapshots go with the records.
    tail: planned.records === 0 ? tail : { ...tail, kept },
    ids,
    lines: restart === undefined ? [] : await keptFrom(job, restart),
    snapshot: planned.writes && plan.snapshot ? plan.snapshot : null,
    restart,
  });
  const after: FileRunState = {
    ...written,
    segments: usedSegments(written.segments, written.tail),
    snapshots: liveSnapshots(written.snapshots, written.tail),
  };
  parts.table.set(plan.runId, after);
  const renamed = await rewriteSegments(job, rewrites);
  const final = { ...after, segments: after.segments.map((first) => renamed.get(first) ?? first) };
  parts.table.set(plan.runId, final);
  await clearAway(job, final, written.segments).catch((cause: unknown) => {
    throw inDoubt(cause);
  });
}

/** Where a new segment begins, if records of the last one go. */
function restartOf({ plan, state, planned }: TrimJob): number | undefined {
  const last = state.segments.at(-1) as number;
  const { header } = planned.tail;
  const from = plan.hide === undefined ? (plan.floor ?? 0) + 1 : header.head + 1;
  return from > last && planned.records > 0 ? from : undefined;
}

function keptFrom({ parts, state, planned, place }: TrimJob, from: number): Promise<readonly string[]> {
  return readLines(parts.env.files, { place, state, from, to: lastSeq(planned.tail) });
}

/** A segment that is rewritten because only a part of it is kept. */
interface Rewrite {
  readonly first: number;
  readonly newFirst: number;
  readonly bytes: Buffer;
}

async function planRewrites(
  { parts, state, planned, place }: TrimJob,
  segments: readonly number[],
): Promise<readonly Rewrite[]> {
  const { tail } = planned;
  const rewrites: Rewrite[] = [];
  for (const [at, first] of segments.entries()) {
    const next = segments[at + 1];
    if (next === undefined || !state.segments.includes(first)) continue;
    const before = partOf(state.tail, first, next);
    const { from, to } = partOf(tail, first, next);
    if (from > to || (from === before.from && to === before.to)) continue;
    const lines = await readLines(parts.env.files, { place, state, from, to });
    const end = { ...tail, header: { ...tail.header, head: to } };
    rewrites.push({
      first,
      newFirst: from,
      bytes: encodeCommit({ folder: place.folder, first: from, lines, tail: end, from: 0 }).bytes,
    });
  }
  return rewrites;
}

/** The kept seqs of a segment. */
function partOf(tail: Tail, first: number, next: number): { readonly from: number; readonly to: number } {
  return { from: Math.max(firstSeq(tail), first), to: Math.min(lastSeq(tail), next - 1) };
}

/** The new names of rewritten segments. A segment that the disk has no space to rewrite stays: its extra records do not count. */
async function rewriteSegments(
  { parts, place }: TrimJob,
  rewrites: readonly Rewrite[],
): Promise<ReadonlyMap<number, number>> {
  const { files } = parts.env;
  const renamed = new Map<number, number>();
  for (const { first, newFirst, bytes } of rewrites) {
    try {
      await placeFile(files, segmentPath(place, newFirst), bytes);
      renamed.set(first, newFirst);
    } catch (cause) {
      const fault = await undone(cause, async () => {});
      if (faultOf(fault).poisoned) throw fault;
    }
  }
  if (renamed.size === 0) return renamed;
  await files.syncDirectory(folderPath(place)).catch((cause: unknown) => {
    throw inDoubt(cause);
  });
  return renamed;
}

async function clearAway(
  { parts, state, place }: TrimJob,
  after: FileRunState,
  segments: readonly number[],
): Promise<void> {
  const { files } = parts.env;
  const gone = segments.filter((first) => !after.segments.includes(first)).map((first) => segmentPath(place, first));
  if (state.tail.ids !== null && state.tail.ids !== after.tail.ids) gone.push(idsPath(place, state.tail.ids));
  for (const file of state.snapshots) if (!after.snapshots.includes(file)) gone.push(snapshotPath(place, file));
  await removeDurably(files, folderPath(place), gone);
}
