import type { Env } from '../../env/env.ts';
import type { Connection } from './connection.ts';

/** Pages that are given back to the file system at a time: a few milliseconds of work. */
const slicePages = 128;
/** The next commits need some anyway. */
const keepPages = 32;

/** Gives pages that nothing is on any more back to the file system, in slices between which others get their turn. */
export async function releaseFreePages(connection: Connection, env: Env): Promise<void> {
  const freePages = (): number => connection.value('PRAGMA freelist_count') as number;
  let before = Number.POSITIVE_INFINITY;
  for (let free = freePages(); free > keepPages && free < before; free = freePages()) {
    before = free;
    await connection.write(() =>
      connection.exec(`PRAGMA incremental_vacuum(${Math.min(slicePages, free - keepPages)})`),
    );
    await new Promise<void>((resolve) => env.nextTurn(resolve));
  }
}
