import type { Files } from '../../../env/files.ts';
import { isMissing } from '../errors.ts';
import { unfinished } from './names.ts';

/**
 * Removes files of a folder durably; those that are already gone are skipped.
 *
 * They are renamed to drafts first. If the sync fails, the next process to open the store finds the drafts and syncs the
 * folder. A file that was merely removed could come back after a power cut, and nobody would know.
 */
export async function removeDurably(files: Files, folder: string, paths: readonly string[]): Promise<void> {
  const drafts: string[] = [];
  for (const path of paths) {
    const draft = `${path}${unfinished}`;
    try {
      await files.rename(path, draft);
      drafts.push(draft);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  if (drafts.length === 0) return;
  await files.syncDirectory(folder);
  // A draft that stays, or comes back, is harmless.
  for (const draft of drafts) await files.remove(draft).catch(() => {});
}
