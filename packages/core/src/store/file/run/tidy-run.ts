import type { Env } from '../../../env/env.ts';
import type { Files } from '../../../env/files.ts';
import { hasCode, isMissing } from '../errors.ts';
import { pathInside } from '../folder/names.ts';
import { removeDurably } from '../folder/remove-durably.ts';
import { cut } from '../segment/open-segment.ts';
import { readSegment } from '../segment/segment-file.ts';
import type { FoundRun } from './find-run.ts';
import { folderPath, idsPath, type RunPlace, segmentPath, shownSegment, snapshotPath } from './run-place.ts';

/** Cuts off what was never finished and removes what no longer counts. */
export async function tidyRun(env: Env, place: RunPlace, found: FoundRun): Promise<void> {
  await cutTorn(env, place, found);
  await clearDead(env, place, found);
}

/**
 * Cuts off a last commit that was never finished, durably, with a warning. A segment that has nothing else is removed before
 * anything is written to the one before it. Drafts may be files whose removal was never synced, so the folder is synced.
 */
export async function cutTorn(env: Env, place: RunPlace, { torn, unfinished }: FoundRun): Promise<void> {
  const folder = folderPath(place);
  if (unfinished.length > 0) await env.files.syncDirectory(folder);
  if (torn === undefined) return;
  await warnOfTorn(env, place, torn);
  const path = segmentPath(place, torn.first);
  if (torn.length > 0) return cutFile(env, path, torn.length);
  await removeDurably(env.files, folder, [path]);
}

/**
 * Removes what was never finished or no longer counts, durably, so that nothing written later is confused with it. The
 * commit that made it obsolete must be durable by now.
 */
export async function clearDead({ files }: Env, place: RunPlace, found: FoundRun): Promise<void> {
  const folder = folderPath(place);
  for (const name of found.unfinished) await removeIfThere(files, pathInside(folder, name));
  await removeDurably(files, folder, [
    ...found.dead.map((file) => snapshotPath(place, file)),
    ...found.deadSegments.map((first) => segmentPath(place, first)),
    ...found.deadIds.map((rev) => idsPath(place, rev)),
  ]);
}

/** A draft may already be gone with the torn segment of the same name. A directory in its place is not ours, and stays. */
async function removeIfThere(files: Files, path: string): Promise<void> {
  await files.remove(path).catch((error: unknown) => {
    if (!isMissing(error) && !hasCode(error, 'EISDIR', 'EPERM')) throw error;
  });
}

async function cutFile({ files }: Env, path: string, length: number): Promise<void> {
  const handle = await files.open(path, 'write');
  try {
    await cut(handle, length);
  } finally {
    await handle.close();
  }
}

async function warnOfTorn({ files, warn }: Env, place: RunPlace, torn: NonNullable<FoundRun['torn']>): Promise<void> {
  const bytes = (await readSegment(files, { place, first: torn.first })).length - torn.length;
  if (bytes === 0) return;
  const where = shownSegment(place, torn.first);
  warn(`The last ${bytes} bytes of ${where} were a commit that was never finished or acknowledged. They were cut off.`);
}
