import type { Files } from '../../../env/files.ts';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { pathInside } from './names.ts';

/**
 * Removes a folder and the files in it that are ours. With anything else in it, it stays, and that is an error; so does
 * what is no folder: a link leads to files of somebody else.
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
