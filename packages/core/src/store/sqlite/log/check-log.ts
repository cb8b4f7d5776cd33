import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { corruptFrame } from './log-scan.ts';

/** Long enough for a writer to finish the frame that it is writing. */
const againMs = 20;

/**
 * Refuses a log whose end SQLite would drop although it was committed. Another process may be writing to it: what
 * looks corrupt is looked at again.
 *
 * @throws HOLDFAST_CORRUPT
 */
export async function checkLog(path: string): Promise<void> {
  if (scan(path) === undefined) return;
  await sleep(againMs);
  const at = scan(path);
  if (at === undefined) return;
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The log ${path} is corrupt at byte ${at}: SQLite would drop all that was committed from there on. Restore the store from a backup. To continue without those commits, open it once with ?durability=normal.`,
    { details: { where: `${path} at byte ${at}`, path } },
  );
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Closing the log loses no locks. The last process to close the store may be removing the log right now. */
function scan(path: string): number | undefined {
  const log = openIfThere(path);
  if (log === undefined) return undefined;
  try {
    return corruptFrame((position, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(log, bytes, 0, length, position));
    });
  } finally {
    closeSync(log);
  }
}
