import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

const writableByAll = 0o002;
/** In such a folder, only the owner of a file can replace it. */
const sticky = 0o1000;

/**
 * Why somebody other than this user and root could have written or replaced this file. Undefined if nobody could: the two
 * own the file, its folders and the links on the way, and no other user may write to one of them.
 */
export function whyUntrusted(path: string): string | undefined {
  const us = process.geteuid?.();
  // Windows has no such owners.
  if (us === undefined) return undefined;
  for (const place of new Set([...withParents(path), ...withParents(realPath(path))])) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.uid !== us && found.uid !== 0) return `${place} belongs to another user`;
    if (isOpenToAll(found)) return `every user may write to ${place}`;
  }
  return undefined;
}

function isOpenToAll(found: Stats): boolean {
  // The mode of a link means nothing.
  if (found.isSymbolicLink() || (found.mode & writableByAll) === 0) return false;
  return !found.isDirectory() || (found.mode & sticky) === 0;
}

/** Where the links lead. A file that does not exist is nobody's; its folders are still checked. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function* withParents(path: string): Generator<string> {
  for (let place = path; ; place = dirname(place)) {
    yield place;
    if (place === dirname(place)) return;
  }
}
