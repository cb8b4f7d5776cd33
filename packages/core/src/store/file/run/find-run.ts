import type { Env } from '../../../env/env.ts';
import type { SnapshotKey } from '../../contract/commit.ts';
import { compareSnapshots } from '../../snapshot-order.ts';
import { corrupt } from '../errors.ts';
import { folderName, readNames, type SnapshotFile } from '../folder/names.ts';
import { checkFolderInside } from '../folder/store-directory.ts';
import {
  checkSegment,
  type FoundSegment,
  readFollowed,
  readSegment,
  readTail,
  tailsOf,
} from '../segment/segment-file.ts';
import { firstSeq, lastSeq, type Tail } from '../segment/tail.ts';
import { type FileRunState, keyText, liveSnapshots, usedSegments } from './file-run-state.ts';
import { folderPath, type RunPlace, runsFolder, shownSegment } from './run-place.ts';

/** How a run is read from its folder. */
export interface LoadOptions {
  readonly env: Env;
  readonly place: RunPlace;
  /** Only the last commit is checked, not the whole last segment. */
  readonly quick?: boolean | undefined;
}

/** A run as its folder describes it, and what else is in the folder. */
export interface FoundRun {
  /** Undefined if none of its commits was ever finished. */
  readonly state: FileRunState | undefined;
  /** The segment to cut to this length, because what follows was never finished; to remove if the length is 0. */
  readonly torn: { readonly first: number; readonly length: number } | undefined;
  /** Drafts that were never renamed. */
  readonly unfinished: readonly string[];
  /** Snapshots that do not count. */
  readonly dead: readonly SnapshotFile[];
  /** Segments of which nothing is kept. */
  readonly deadSegments: readonly number[];
  /** The revisions of files of ids that do not count. */
  readonly deadIds: readonly number[];
}

/** Reads what a run's folder says. Changes nothing. @throws HOLDFAST_CORRUPT */
export async function findRun(options: LoadOptions): Promise<FoundRun> {
  const { env, place } = options;
  await checkFolderInside(env.files, folderPath(place));
  const { segments, snapshots, ids, unfinished } = readNames(await env.files.list(folderPath(place)));
  const { tail, end, torn, kept } = await findTail(options, segments);
  if (tail !== undefined && folderName(tail.header.runId) !== place.folder)
    throw corrupt(`it says that it is run ${tail.header.runId}`, { file: `${runsFolder}/${place.folder}` });
  checkRevisions(place, snapshots, tail);
  if (tail === undefined)
    return { state: undefined, torn, unfinished, dead: snapshots, deadSegments: [], deadIds: ids };
  const live = liveSnapshots(snapshots, tail);
  const lacksSome = live.length < tail.snapshots && options.quick !== true;
  const missing = lacksSome ? await findMissing(options, kept, live) : [];
  const used = usedSegments(kept, tail);
  checkBeginning(place, used, tail);
  return {
    state: { tail, segments: used, end, snapshots: [...live, ...missing].toSorted(compareSnapshots) },
    torn,
    unfinished,
    dead: snapshots.filter((file) => !live.includes(file)),
    deadSegments: kept.filter((first) => !used.includes(first)),
    deadIds: ids.filter((rev) => rev !== tail.ids),
  };
}

/** A snapshot is written between two commits, its own being the next. One that is further ahead proves that commits are gone. */
function checkRevisions(place: RunPlace, snapshots: readonly SnapshotFile[], tail: Tail | undefined): void {
  const next = (tail?.rev ?? 0) + 1;
  const ahead = snapshots.find(({ rev }) => rev > next);
  if (ahead === undefined) return;
  throw corrupt(`its journal lacks commits up to ${ahead.rev}, which a snapshot belongs to`, {
    file: `${runsFolder}/${place.folder}`,
    runId: tail?.header.runId,
  });
}

/** The first kept record must be in a file that exists: only what is below the floor was cut off. */
function checkBeginning(place: RunPlace, segments: readonly number[], tail: Tail): void {
  const seq = firstSeq(tail);
  if (seq > lastSeq(tail) || (segments[0] as number) <= seq) return;
  throw corrupt('it is missing', { file: shownSegment(place, seq), runId: tail.header.runId, seq });
}

interface FoundTail {
  readonly tail: Tail | undefined;
  readonly end: number;
  readonly torn: FoundRun['torn'];
  /** The segments that stay. */
  readonly kept: readonly number[];
}

/** Only the last segment may be torn. If nothing of it was finished, the one before has the tail. */
async function findTail(options: LoadOptions, segments: readonly number[]): Promise<FoundTail> {
  const first = segments.at(-1);
  if (first === undefined) return { tail: undefined, end: 0, torn: undefined, kept: [] };
  const last = await readLast(options, first);
  const torn = last.torn || last.tail === undefined ? { first, length: last.end } : undefined;
  if (last.tail !== undefined) return { tail: last.tail, end: last.end, torn, kept: segments };
  const before = segments.at(-2);
  if (before === undefined) return { tail: undefined, end: 0, torn, kept: [] };
  const found = await readLast(options, before, readFollowed);
  if (found.tail !== undefined && !found.torn) {
    return { tail: found.tail, end: found.end, torn, kept: segments.slice(0, -1) };
  }
  throw corrupt('it does not end with a whole commit, although another file follows', {
    file: shownSegment(options.place, before),
  });
}

async function readLast({ env, place, quick }: LoadOptions, first: number, read = readSegment): Promise<FoundSegment> {
  const wish = { place, first };
  const good = quick ? await readTail(env.files, wish) : undefined;
  return good === undefined ? checkSegment(env.files, wish, read) : { ...good, torn: false };
}

/** Snapshots that the journal names but that have no file. They count as corrupt, so that nobody mistakes them for pruned. */
async function findMissing(
  { env, place }: LoadOptions,
  segments: readonly number[],
  live: readonly SnapshotKey[],
): Promise<readonly SnapshotFile[]> {
  const named = new Map<string, SnapshotKey>();
  for (const first of segments) {
    const bytes = await readSegment(env.files, { place, first });
    for (const { snapshot, dropped, kept } of tailsOf({ folder: place.folder, first }, bytes)) {
      for (const key of dropped) named.delete(keyText(key));
      if (kept !== null) named.clear();
      for (const key of [...(kept ?? []), ...(snapshot === null ? [] : [snapshot])]) named.set(keyText(key), key);
    }
  }
  for (const key of live) named.delete(keyText(key));
  return [...named.values()].map((key) => ({ ...key, rev: 0 }));
}
