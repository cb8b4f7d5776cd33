import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Calls with a folder of its own on the disk that the repository is on (a temporary one may be in memory), then removes it. */
export async function inScratch<T>(call: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules/.cache-bench-'));
  try {
    return await call(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
