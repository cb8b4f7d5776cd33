import { closeSync, openSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { isForAll } from '../../../env/file-safety.ts';
import { nodeFiles } from '../../../env/node-files.ts';
import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { foreign } from '../connection/migrate.ts';

/** In a sticky directory, such as the system's temporary one, only its owner can remove or rename a file. */
const sticky = 0o1000;
/** The head of a log in which there is nothing yet. */
const emptyLogBytes = 32;
/** A log is merged long before it gets this long. Scanning more would take minutes. */
const longestLogBytes = 2 ** 34;

/**
 * Makes sure that the database can be put there and that nobody else can redirect it: the directory exists (0700 where
 * it is created), the file exists (0600) and is a file.
 *
 * @throws HOLDFAST_STORE_UNSAFE, HOLDFAST_STORE_FOREIGN, HOLDFAST_CORRUPT
 */
export async function prepareFile(path: string): Promise<void> {
  const directory = dirname(path);
  await makeDirectory(directory);
  const isShared = await checkDirectory(directory);
  const files = [path, logOf(path), `${path}-shm`];
  for (const file of [...files, `${path}-journal`]) await checkFile(file);
  await refuseEndlessLog(logOf(path));
  await refuseLogAlone(path);
  if (!isShared) return create(path);
  // Whatever SQLite would create there later, somebody else could create before it: all of it has to be ours.
  for (const file of files) {
    create(file);
    await checkOwner(file);
  }
}

/** Refuses a directory in which others could replace our files. True if others may put files beside them. */
export async function checkDirectory(directory: string): Promise<boolean> {
  const { mode } = await fs.stat(directory);
  const isShared = isForAll(mode);
  if (isShared && (mode & sticky) === 0) {
    throw unsafe(`Everyone may write to the directory ${directory}`, { path: directory });
  }
  if ((await nodeFiles.info(await fs.realpath(directory)))?.isForeign === true) {
    throw unsafe(`The directory ${directory} belongs to another user`, { path: directory });
  }
  return isShared;
}

async function checkOwner(path: string): Promise<void> {
  const info = await fs.lstat(path);
  if (!info.isFile() || info.uid !== process.getuid?.()) throw unsafe(`${path} belongs to another user`, { path });
}

async function refuseEndlessLog(path: string): Promise<void> {
  const { size } = (await nodeFiles.info(path)) ?? { size: 0 };
  if (size <= longestLogBytes) return;
  const next = 'If it is genuine, merge it into the file with another program: PRAGMA wal_checkpoint(TRUNCATE).';
  throw holdfastError(
    'HOLDFAST_STORE_UNSAFE',
    `${path} is ${size} bytes long, and a log never gets that large. ${next}`,
    {
      details: { path },
    },
  );
}

/** Refuses a log whose database is missing: SQLite would delete it, with the commits in it. */
async function refuseLogAlone(path: string): Promise<void> {
  const [file, log] = [await nodeFiles.info(path), await nodeFiles.info(logOf(path))];
  if ((file?.size ?? 0) > 0 || (log?.size ?? 0) <= emptyLogBytes) return;
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The store ${path} is missing, but its log ${logOf(path)} has commits. Put the file back beside it, or move the log away to start over.`,
    { details: { path } },
  );
}

/** How many pages may be in the log that is there. */
export async function logPagesOf(path: string): Promise<number> {
  const log = await nodeFiles.info(logOf(path));
  return Math.floor((log?.size ?? 0) / 4_096);
}

/** Where SQLite keeps the log of a database. */
export function logOf(path: string): string {
  return `${path}-wal`;
}

/** The database is there, and something is in it. @throws HOLDFAST_NOT_FOUND */
export async function findFile(path: string): Promise<void> {
  const info = await nodeFiles.info(path);
  if (info !== undefined && info.size > 0) return;
  throw holdfastError('HOLDFAST_NOT_FOUND', `The store at ${path} is gone.`, { details: { path } });
}

/** Each new directory is only there for sure when the one above it is synced. */
async function makeDirectory(directory: string): Promise<void> {
  const first = await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = directory; ; made = dirname(made)) {
    await nodeFiles.syncDirectory(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

async function checkFile(path: string): Promise<void> {
  const info = await nodeFiles.info(path);
  // SQLite takes a single byte for nothing, and would write over it.
  if (info?.type === 'file' && info.size === 1) throw foreign();
  if (info?.type === 'file' && isForAll(info.mode)) throw unsafe(`Everyone may write to ${path}`, { path });
  if (info?.type === 'file' && info.isForeign === true) throw unsafe(`${path} belongs to another user`, { path });
  if (info === undefined || info.type === 'file') return;
  throw unsafe(`${path} is ${info.type === 'symlink' ? 'a symbolic link' : 'not a file'}`, { path });
}

/**
 * Creates an empty file that only its owner reads. Never opens one that exists: closing it would drop the locks that
 * another connection of this process holds on it.
 */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function unsafe(fact: string, details: { readonly path: string }): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_UNSAFE',
    `${fact}: others could change a store there. Use a directory of your own.`,
    { details },
  );
}
