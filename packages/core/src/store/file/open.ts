import { resolve } from 'node:path';
import type { Env } from '../../env/env.ts';
import type { Files } from '../../env/files.ts';
import type { Machine } from '../../env/machine.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { defineStore, type Store } from '../store.ts';
import { storeFault } from '../store-fault.ts';
import { WorkerProcesses } from '../worker-processes.ts';
import { FileDriver } from './driver.ts';
import { corrupt, hasCode } from './errors.ts';
import { pathInside } from './folder/names.ts';
import { checkDirectory, makeStoreDirectory, syncAbove } from './folder/store-directory.ts';
import { LeaseFile } from './lease-file.ts';
import { StoreLock } from './lock/store-lock.ts';
import { ReadOnlyFileDriver } from './read-only-driver.ts';
import { FileRunWriter } from './run/file-run-writer.ts';
import { openRuns } from './run/open-runs.ts';
import { RunMutex } from './run/run-mutex.ts';
import { runsFolder } from './run/run-place.ts';
import { VoidEpochs } from './run/void-epochs.ts';
import { checkFormat, writeFormat } from './schema.ts';
import { DurableWriter } from './segment/durable-writer.ts';
import { HandleCache } from './segment/handle-cache.ts';
import { defaultRoom, type RoomRule } from './segment/open-segment.ts';

/** By default a process may have 1,024 open files, and it needs others too. */
const mostHandles = 256;

/** A page of records never costs more than reading a few of these, and pruning drops them whole. */
const defaultSegmentBytes = 1_048_576;

/** How a store in a directory is opened. */
export interface FileStoreOptions {
  /** Reads beside the process that writes, without its lock; every commit then fails. Default false. */
  readonly readOnly?: boolean | undefined;
}

/**
 * A store in a directory that people can read: one folder per run, with lines of JSON. One process writes, any number
 * reads. The directory is created when the store is first opened.
 *
 * @example
 * ```ts
 * const reader = await openEngine(fileStore('./runs', { readOnly: true }), { executes: false });
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function fileStore(dir: string, { readOnly }: FileStoreOptions = {}): Store {
  if (typeof dir !== 'string' || dir.trim() === '' || dir.includes('\0')) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'A file: store needs the path of a directory, as in file:./runs.', {
      details: { option: 'dir' },
    });
  }
  // Now, not when it is reopened: the process may have changed its working directory by then.
  const root = resolve(dir);
  return defineStore((env, { again }) => openFileDriver({ dir: root, env, readOnly, again }));
}

/** How the driver of such a store is opened. */
export interface OpenFileOptions extends FileStoreOptions {
  readonly dir: string;
  readonly env: Env;
  /** It was open before and must still exist; default false. */
  readonly again?: boolean | undefined;
  /** Which processes are alive; default: those that `env` knows. */
  readonly machine?: Machine | undefined;
  /** How large a file of the journal may grow before the next one is begun; default 1 MiB. */
  readonly segmentBytes?: number | undefined;
  /** How far files of the journal are written ahead of their commits. */
  readonly room?: RoomRule | undefined;
  /** How many files are kept open. */
  readonly handles?: number | undefined;
}

/**
 * Opens a store in a directory, and makes it where there is none.
 *
 * @throws HOLDFAST_STORE_LOCKED, HOLDFAST_STORE_FOREIGN, HOLDFAST_STORE_UNSAFE, HOLDFAST_UNKNOWN_FORMAT,
 * HOLDFAST_CORRUPT, HOLDFAST_NOT_FOUND, HOLDFAST_STORE_FAILED
 */
export async function openFileDriver(options: OpenFileOptions): Promise<StoreDriver> {
  const root = resolve(options.dir);
  try {
    return await (options.readOnly === true ? openReader(options.env, root) : openWriter(options, root));
  } catch (error) {
    throw HoldfastError.is(error) ? error : couldNotOpen(root, error);
  }
}

function couldNotOpen(root: string, cause: unknown): Error {
  if (!hasCode(cause, 'EROFS')) return storeFault({ effect: 'none', cause });
  return holdfastError(
    'HOLDFAST_STORE_FAILED',
    `The file system of ${root} is read-only. To read a store that is there, open it with readOnly: true.`,
    { details: { effect: 'none', poisoned: false, dir: root }, cause },
  );
}

async function openReader(env: Env, root: string): Promise<StoreDriver> {
  await findStore(env.files, root);
  await checkRunsFolder(env, root);
  return new ReadOnlyFileDriver(env, root);
}

/** There is a store. @throws HOLDFAST_NOT_FOUND */
async function findStore(files: Files, root: string): Promise<void> {
  await checkDirectory(files, root);
  if ((await checkFormat(files, root)) === 'known') return;
  throw holdfastError('HOLDFAST_NOT_FOUND', `There is no store at ${root}.`, { details: { dir: root } });
}

async function openWriter(options: OpenFileOptions, root: string): Promise<StoreDriver> {
  const { env, machine = env.machine, segmentBytes = defaultSegmentBytes } = options;
  const { room = defaultRoom, handles: most = mostHandles } = options;
  const { files } = env;
  if (options.again === true) await findStore(files, root);
  await makeStoreDirectory(files, root);
  // Before the lock is acquired: nothing is written to a directory that is not ours, or newer.
  await checkFormat(files, root);
  const lock = await StoreLock.acquire({ env, root, machine });
  try {
    if ((await checkFormat(files, root)) === 'new') {
      await syncAbove(files, root);
      await writeFormat(files, root);
    }
    await checkRunsFolder(env, root);
    const leases = await LeaseFile.read(env, root, new WorkerProcesses(machine));
    const voids = await VoidEpochs.read(env, root);
    const table = await openRuns({ env, root, isSettled: lock.isFirstSinceBoot });
    const handles = new HandleCache(files, most, room);
    const writer = new FileRunWriter({ files, handles, durable: new DurableWriter(env.monotonicMs), segmentBytes });
    const parts = { env, root, table, mutex: new RunMutex(), writer, handles, leases, voids };
    return new FileDriver(parts, lock);
  } catch (error) {
    await lock.release().catch(() => {});
    throw error;
  }
}

async function checkRunsFolder({ files }: Env, root: string): Promise<void> {
  const path = pathInside(root, runsFolder);
  if ((await files.info(path)) === undefined) throw corrupt('it is missing', { file: runsFolder });
  await checkDirectory(files, path);
}
