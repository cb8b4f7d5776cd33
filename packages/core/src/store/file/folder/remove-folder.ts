import type { Files } from '../../../env/files.ts';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { pathInside } from './names.ts';

/**
 * Removes a folder and our files in it. It is an error if anything else is in it, or if it is not a folder: a link may
 * point to other people's files.
 *
 * @throws HOLDFAST_STORE_UNSAFE
 */
export async function removeFolder(files: Files, path: string, isOurs: (name: string) => boolean): Promise<void> {
  const info = await files.info(path);
  if (info === undefined) return;
  if (info.type !== 'directory') {
    throw holdfastError('HOLDFAST_STORE_UNSAFE', `${path} is not a directory.`, { details: { path } });
  }
  for (const name of (await files.list(path)).filter(isOurs)) await files.remove(pathInside(path, name));
  await files.removeDirectory(path);
}
