import { failuresOf, inParallel, settleAll } from '../../../async/in-parallel.ts';
import type { Env } from '../../../env/env.ts';
import type { FileHandle, Files } from '../../../env/files.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { reason } from '../../store-fault.ts';
import { folderName, isFolderName, isRunFile, isTrashName, pathInside } from '../folder/names.ts';
import { removeFolder } from '../folder/remove-folder.ts';
import type { Tail } from '../segment/tail.ts';
import type { FileRunState } from './file-run-state.ts';
import { type FoundRun, findRun } from './find-run.ts';
import { readAndRemoveIndex } from './run-index.ts';
import { folderPath, placeOfRun, type RunPlace, runsFolder, segmentPath } from './run-place.ts';
import { RunRegistry } from './run-registry.ts';
import { clearDead, cutTorn } from './tidy-run.ts';

/** How many folders are read at the same time. */
const openedTogether = 16;
/** How many runs are made durable together: their files are open meanwhile. */
const settledTogether = 128;

interface OpenRunsOptions {
  readonly env: Env;
  readonly root: string;
  /** Whether all that can be read is durable: nothing of it was written since the machine was started. */
  readonly isSettled: boolean;
}

/** Finds the runs of a store that is opened for writing: in the index of a clean close, or in the last lines of each run. */
export async function openRuns({ env, root, isSettled }: OpenRunsOptions): Promise<RunRegistry> {
  const { files } = env;
  const table = new RunRegistry(env, root);
  const runs = pathInside(root, runsFolder);
  const names = await files.list(runs);
  const trash = names.filter(isTrashName);
  // Before any of its files is gone, or a power cut could bring the run back without it.
  if (trash.length > 0) await files.syncDirectory(runs);
  await inParallel(trash, openedTogether, (name) => removeOrWarn(env, pathInside(runs, name)));
  const folders = names.filter(isFolderName);
  const tails = await readAndRemoveIndex(env, root);
  if (tails !== undefined && isOf(tails, folders)) {
    for (const tail of tails) table.add(tail);
    return table;
  }
  for (let at = 0; at < folders.length; at += settledTogether) {
    const some = folders.slice(at, at + settledTogether);
    const opened = await inParallel(some, openedTogether, (folder) => openRun({ env, table, place: { root, folder } }));
    const found = opened.filter((run) => run !== undefined);
    const states = found.flatMap(({ state }) => state ?? []);
    if (!isSettled) await settle(env, root, states);
    // Only now: the commit that made it obsolete may just have become durable.
    await inParallel(found, openedTogether, (run) => clear(env, run));
    for (const { tail } of states) table.add(tail);
  }
  await files.syncDirectory(runs);
  return table;
}

/** Whether the index is about the folders that exist: people may have moved some while the store was closed. */
function isOf(tails: readonly Tail[], folders: readonly string[]): boolean {
  const known = new Set(tails.map(({ header }) => folderName(header.runId)));
  return known.size === folders.length && folders.every((folder) => known.has(folder));
}

interface OpenRun {
  readonly env: Env;
  readonly table: RunRegistry;
  readonly place: RunPlace;
}

interface OpenedRun extends FoundRun {
  readonly place: RunPlace;
}

/** A run that cannot be read does not keep the others from being opened; asking for it fails. */
async function openRun({ env, table, place }: OpenRun): Promise<OpenedRun | undefined> {
  let found: FoundRun;
  try {
    found = await findRun({ env, place, quick: true });
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    table.addCorrupt(place.folder, error);
    return undefined;
  }
  await cutTorn(env, place, found);
  return { ...found, place };
}

async function clear(env: Env, run: OpenedRun): Promise<void> {
  await clearDead(env, run.place, run);
  if (run.state === undefined) await removeOrWarn(env, folderPath(run.place));
}

/** What cannot be removed does no harm, and never keeps the store from being opened. */
async function removeOrWarn({ files, warn }: Env, path: string): Promise<void> {
  await removeFolder(files, path, isRunFile).catch((error: unknown) => {
    warn(`${path} belongs to no run but could not be removed: ${reason(error)}. Check what is in it, and remove it.`);
  });
}

/**
 * Makes what the last process left durable before anyone sees it. That process may have been killed before a sync, or a sync
 * may have failed: then the system shows what it never wrote, and the next sync would not write it either. So the last
 * commits are written again, all of them before the first sync, which leaves the other syncs less to do.
 */
async function settle({ files }: Env, root: string, states: readonly FileRunState[]): Promise<void> {
  const opened = await settleAll(states, openedTogether, (state) => openLast(files, root, state));
  const handles = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const failure of failuresOf(opened)) throw failure as Error;
    await inParallel(handles, openedTogether, ({ handle, state }) => writeAgain(handle, state));
    await inParallel(handles, openedTogether, ({ handle }) => handle.sync());
  } finally {
    await Promise.all(handles.map(({ handle }) => handle.close()));
  }
  // The name of a file is synced before its second commit.
  const young = states.filter(({ tail }) => tail.from === 0);
  await inParallel(young, openedTogether, ({ tail }) =>
    files.syncDirectory(folderPath(placeOfRun(root, tail.header.runId))),
  );
}

interface OpenLast {
  readonly handle: FileHandle;
  readonly state: FileRunState;
}

async function openLast(files: Files, root: string, state: FileRunState): Promise<OpenLast> {
  const path = segmentPath(placeOfRun(root, state.tail.header.runId), state.segments.at(-1) as number);
  return { handle: await files.open(path, 'write'), state };
}

/** One byte more, and a truncate, make the length new too. If the byte stays, it marks an unfinished commit. */
async function writeAgain(handle: FileHandle, { tail, end }: FileRunState): Promise<void> {
  const commit = await handle.read(tail.from, end - tail.from);
  await handle.write(Buffer.concat([commit, Buffer.alloc(1)]), tail.from);
  await handle.truncate(end);
}
