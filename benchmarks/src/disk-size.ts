import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How many bytes the files of a folder have together: what is measured there has to be closed, so that no log is left over. */
export function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
