import { readdirSync, readlinkSync } from 'node:fs';

const mostTries = 50;

/**
 * Waits until the system has the files of a closed store back. `@photostructure/sqlite` keeps a closed database open
 * until the collector has found its statements; the next process would then find a database in use, not one to repair.
 */
export async function filesClosed(directory: string): Promise<void> {
  for (let tries = 0; openFiles(directory).length > 0; tries += 1) {
    if (tries === mostTries) throw new Error(`A closed store still has ${openFiles(directory).join(', ')} open`);
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The files below the directory that this process has open; none where the system does not tell. */
function openFiles(directory: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(`${directory}/`) ? [path] : [];
    } catch {
      // It was the descriptor of the listing itself.
      return [];
    }
  });
}
