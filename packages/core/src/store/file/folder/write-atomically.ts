import { dirname } from 'node:path';
import type { FileHandle, Files } from '../../../env/files.ts';
import { hasCode } from '../errors.ts';
import { unfinished } from './names.ts';

/**
 * Writes a whole file that is either there with all its bytes or not at all: under another name first, synced, then
 * renamed. The name is durable only when the directory has been synced.
 */
export async function placeFile(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}${unfinished}`;
  const handle = await createAnew(files, draft);
  try {
    try {
      await handle.write(bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await files.rename(draft, path);
  } catch (error) {
    await files.remove(draft).catch(() => {});
    throw error;
  }
}

/** The same, with a durable name. */
export async function writeAtomically(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await placeFile(files, path, bytes);
  await files.syncDirectory(dirname(path));
}

/** What an earlier process left under the name of a draft is nothing. */
async function createAnew(files: Files, path: string): Promise<FileHandle> {
  try {
    return await files.open(path, 'create');
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await files.remove(path);
    return files.open(path, 'create');
  }
}
