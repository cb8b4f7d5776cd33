import type { Env } from '../../../env/env.ts';
import type { Connection } from './connection.ts';

/** Pages that are given back to the file system at a time: a few milliseconds of work. */
const slicePages = 128;
/** The next commits need some anyway. */
const keepPages = 32;

/**
 * Gives some pages that nothing is on any more back to the file system, in the transaction that is open: what was cleared
 * and what it gives back take one sync together. Tells whether there are more.
 */
export function releaseSomePages(connection: Connection): boolean {
  const free = freePages(connection);
  if (free <= keepPages) return false;
  connection.exec(`PRAGMA incremental_vacuum(${Math.min(slicePages, free - keepPages)})`);
  const left = freePages(connection);
  return left > keepPages && left < free;
}

/** Gives the rest of them back, in slices between which others get their turn. */
export async function releaseFreePages(connection: Connection, env: Env): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    await new Promise<void>((resolve) => env.nextTick(resolve));
    hasMore = await connection.write(() => releaseSomePages(connection), 2 * slicePages);
  }
}

function freePages(connection: Connection): number {
  return connection.value('PRAGMA freelist_count') as number;
}
