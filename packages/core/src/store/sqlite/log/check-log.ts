import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import { corruptFrame } from './log-scan.ts';

/** Long enough for whoever writes a frame at the moment to have written it. */
const againMs = 20;

/**
 * Refuses a log whose end SQLite would drop although it was committed. Another process may write to it all the while: what
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

/** The log has no locks that would be lost with closing it. Whoever had the store open last may just take it away. */
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
