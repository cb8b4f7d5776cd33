import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether only we or root decide what is at this path: we own what is there, the link to it if it is a link, and the
 * folder, whose owner could put something else there.
 */
export function isOwnedByUs(path: string): boolean {
  const us = process.geteuid?.();
  // Windows has no owners of this kind.
  if (us === undefined) return true;
  try {
    return [lstatSync(path), statSync(path), statSync(dirname(path))].every(({ uid }) => uid === us || uid === 0);
  } catch {
    return false;
  }
}
