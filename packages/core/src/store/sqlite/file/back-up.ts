import * as fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nodeEnv } from '../../../env/node-env.ts';
import { nodeFiles } from '../../../env/node-files.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { reason, storeFault } from '../../store-fault.ts';
import { retryWhileBusy } from '../connection/busy-retry.ts';
import { openDatabase } from '../open.ts';
import { checkDirectory } from './store-file.ts';

const patienceMs = 30_000;

/** What was copied. */
export interface SqliteBackup {
  /** The path of the copy. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies a SQLite store into a new file, as it is at one moment, while other processes write to it. The copy is on the
 * disk when this resolves. An existing file is never overwritten, and a failure leaves nothing behind.
 *
 * The copy is one call of SQLite, which blocks this process: use one that executes no runs, such as `holdfast backup`.
 *
 * @example
 * ```ts
 * const { file, bytes } = await backUpSqlite('./runs.db', './backup/runs.db');
 * ```
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION if the target exists, HOLDFAST_STORE_FAILED, and the errors of opening the store
 */
export async function backUpSqlite(from: string, to: string): Promise<SqliteBackup> {
  const [path, file] = [resolve(from), resolve(to)];
  await refuseExisting(file);
  const { database } = await openDatabase({ path, durability: 'full', env: nodeEnv, again: true });
  // Beside the target, so that the last step is a link; and nobody else can enter it.
  let folder: string | undefined;
  try {
    await checkDirectory(dirname(file));
    folder = await fs.mkdtemp(join(dirname(file), '.holdfast-backup-'));
    const copy = join(folder, basename(file));
    const statement = database.prepare('VACUUM INTO ?');
    await retryWhileBusy({ env: nodeEnv, patienceMs, attempt: () => statement.run(copy) });
    const bytes = await syncFile(copy);
    await publish(copy, file);
    return { file, bytes };
  } catch (error) {
    throw failure(error, file);
  } finally {
    database.close();
    if (folder !== undefined) await fs.rm(folder, { recursive: true, force: true });
  }
}

async function refuseExisting(file: string): Promise<void> {
  if ((await nodeFiles.info(file)) !== undefined) throw taken(file);
}

/** SQLite does not promise that the copy is on the disk. */
async function syncFile(file: string): Promise<number> {
  await fs.chmod(file, 0o600);
  const handle = await fs.open(file, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** A link refuses to replace what came in the meantime; a rename would not. */
async function publish(copy: string, file: string): Promise<void> {
  await fs.link(copy, file);
  await nodeFiles.syncDirectory(dirname(file));
}

function taken(file: string): HoldfastError {
  const fact = `${file} already exists`;
  return holdfastError('HOLDFAST_INVALID_OPTION', `${fact}. Choose another name.`, { details: { path: file } });
}

function failure(error: unknown, file: string): HoldfastError {
  if (HoldfastError.is(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return taken(file);
  const fault = storeFault({ effect: 'none', cause: error });
  return holdfastError(fault.code, `The backup ${file} was not written: ${reason(error)}.`, {
    details: { ...fault.details, path: file },
    cause: error,
  });
}
