import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether only this user or root controls this path: one of them owns the file, the link to it if it is a link, and the
 * folder, whose owner could replace the file.
 */
export function isOwnedByUs(path: string): boolean {
  const us = process.geteuid?.();
  // Windows has no such owners.
  if (us === undefined) return true;
  try {
    return [lstatSync(path), statSync(path), statSync(dirname(path))].every(({ uid }) => uid === us || uid === 0);
  } catch {
    return false;
  }
}
