import type { Env } from '../../env/env.ts';
import type { FoundRun } from './load-run.ts';
import { pathInside } from './names.ts';
import { folderPath, type RunPlace, segmentPath, shownSegment, snapshotPath } from './run-place.ts';

/** Cuts off what was never finished and clears away what counts no more. */
export async function tidyRun(env: Env, place: RunPlace, found: FoundRun): Promise<void> {
  await cutTorn(env, place, found);
  await clearDead(env, place, found);
}

/** Cuts off a last commit that was never finished, durably, and says so. A segment that has nothing else is dead. */
export async function cutTorn(env: Env, place: RunPlace, { torn }: FoundRun): Promise<void> {
  if (torn === undefined) return;
  await tellOfTorn(env, place, torn);
  if (torn.length > 0) await cut(env, segmentPath(place, torn.first), torn.length);
}

/**
 * Clears away what was never finished or no longer counts, durably, so that nothing that is written later can be mixed
 * up with it. The names are synced before, too: what says that a file counts no more must not be lost in a power cut
 * that the removal survives. So the commit that says it has to be durable when this is called.
 */
export async function clearDead({ files }: Env, place: RunPlace, found: FoundRun): Promise<void> {
  const folder = folderPath(place);
  const gone = found.unfinished.map((name) => pathInside(folder, name));
  for (const file of found.dead) gone.push(snapshotPath(place, file));
  for (const first of found.deadSegments) gone.push(segmentPath(place, first));
  if (found.torn?.length === 0) gone.push(segmentPath(place, found.torn.first));
  if (gone.length === 0) return;
  await files.syncDirectory(folder);
  for (const path of gone) await files.remove(path);
  await files.syncDirectory(folder);
}

async function cut({ files }: Env, path: string, length: number): Promise<void> {
  const handle = await files.open(path, 'write');
  try {
    await handle.truncate(length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function tellOfTorn({ files, warn }: Env, place: RunPlace, torn: NonNullable<FoundRun['torn']>): Promise<void> {
  const size = (await files.info(segmentPath(place, torn.first)))?.size ?? 0;
  const bytes = size - torn.length;
  if (bytes === 0) return;
  const where = shownSegment(place, torn.first);
  warn(`The last ${bytes} bytes of ${where} are a commit that was never finished or acknowledged. They were cut off.`);
}

/** Removes a folder and what is in it, and nothing that lies deeper: we never make anything there. */
export async function removeFolder({ files }: Env, path: string): Promise<void> {
  for (const name of await files.list(path)) await files.remove(pathInside(path, name));
  await files.removeDirectory(path);
}
