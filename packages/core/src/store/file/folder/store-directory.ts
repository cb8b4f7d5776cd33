import { dirname } from 'node:path';
import { unsafeReason } from '../../../env/file-safety.ts';
import type { Files } from '../../../env/files.ts';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { hasCode } from '../errors.ts';

/** Creates the directory and its parents where they are missing, and refuses one that is not safe. */
export async function makeStoreDirectory(files: Files, root: string): Promise<void> {
  if ((await files.info(root)) === undefined) await files.makeDirectories(root);
  await checkDirectory(files, root);
}

/**
 * Makes the names of a new store's directory and of its parents durable. Nobody knows which of them are new: the process
 * that created them may have died before it synced them. A directory that we may not read was not created by us.
 */
export async function syncAbove(files: Files, root: string): Promise<void> {
  for (let path = root; path !== dirname(path); path = dirname(path)) {
    await files.syncDirectory(dirname(path)).catch((error: unknown) => {
      if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
    });
  }
}

/** Refuses a directory that others could redirect or write to. @throws HOLDFAST_STORE_UNSAFE, HOLDFAST_STORE_FOREIGN, HOLDFAST_NOT_FOUND */
export async function checkDirectory(files: Files, path: string): Promise<void> {
  const info = await files.info(path);
  if (info === undefined) {
    throw holdfastError('HOLDFAST_NOT_FOUND', `There is no store at ${path}.`, { details: { dir: path } });
  }
  const wrong = unsafeReason(info, 'directory');
  if (wrong !== undefined) {
    const code = info.type === 'file' || info.type === 'other' ? 'HOLDFAST_STORE_FOREIGN' : 'HOLDFAST_STORE_UNSAFE';
    const next = info.type === 'symlink' ? '; use the directory that it points to' : '';
    throw holdfastError(code, `${path} cannot hold a store: ${wrong}${next}.`, { details: { dir: path } });
  }
}

/** Refuses a folder inside the store that others could redirect or write to. One that is missing is not refused. @throws HOLDFAST_STORE_UNSAFE */
export async function checkFolderInside(files: Files, path: string): Promise<void> {
  const info = await files.info(path);
  const wrong = info === undefined ? undefined : unsafeReason(info, 'directory');
  if (wrong === undefined) return;
  const message = `${path} cannot be a folder of a store: ${wrong}.`;
  throw holdfastError('HOLDFAST_STORE_UNSAFE', message, { details: { path } });
}
