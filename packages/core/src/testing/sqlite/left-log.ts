import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commit, create, note, ownerOf } from '../contract/given.ts';
import { inDirectory, openAt } from './sqlite-places.ts';

/** So many commits are in a store that is left, the first one a creation. */
export const leftCommits = 20;

/** The bytes of a frame in the log of one of our stores. */
export const frameBytes = 4_120;

/** A store as a process leaves it that was killed, and its log; most commits have the frames of two pages. */
export async function withLeftLog<T>(body: (path: string, log: Buffer) => Promise<T>): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const { store } = await openAt(path);
    await create(store, 'run', { worker: 'w' });
    for (let head = 1; head < leftCommits; head += 1)
      await commit(store, ownerOf('run', { expect: head, fence: 1, entries: [note(head)] }));
    const copy = join(directory, 'left.db');
    for (const end of ['', '-wal']) await copyFile(`${path}${end}`, `${copy}${end}`);
    await store.close();
    return body(copy, await readFile(`${copy}-wal`));
  });
}

/** The same bytes with one bit flipped. */
export function withFlip(bytes: Buffer, at: number, bit = 0): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] as number) ^ (1 << bit);
  return changed;
}

/** A log that was left, and the same corrupt in a frame in its middle. */
export function corruptLog(): Promise<{ readonly whole: Buffer; readonly corrupt: Buffer; readonly at: number }> {
  return withLeftLog(async (_path, whole) => {
    const at = 32 + 5 * frameBytes;
    return { whole, corrupt: withFlip(whole, at + 100), at };
  });
}
