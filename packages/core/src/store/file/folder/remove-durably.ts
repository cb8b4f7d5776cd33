import type { Files } from '../../../env/files.ts';
import { unfinished } from './names.ts';
import { isMissing } from '../errors.ts';

/**
 * Takes files of a folder away, durably; those that are gone already are passed over.
 *
 * They become drafts first. Should the sync fail, the next one to open the store finds the drafts and syncs the folder:
 * a file that was only removed would be back after a power cut, and nobody would have known that it could be.
 */
export async function takeAway(files: Files, folder: string, paths: readonly string[]): Promise<void> {
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
  // A draft that stays, or comes back, is nothing.
  for (const draft of drafts) await files.remove(draft).catch(() => {});
}
