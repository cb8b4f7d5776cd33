import type { FileInfo } from './files.ts';

/** No file of a store is longer: a journal continues in the next file long before. */
const longestFileBytes = 2 ** 30;

const worldWritable = 0o002;
const sticky = 0o1000;

/**
 * Why a store must not use what is at a path, for the error that says so; undefined if it may. Somebody else could change
 * what belongs to them or what everyone may write to, and reading a pipe or a device may never end.
 */
export function unsafeReason(info: FileInfo, wanted: 'file' | 'directory'): string | undefined {
  if (info.type === 'symlink') return 'it is a symbolic link';
  if (info.type !== wanted) return `it is not a ${wanted}`;
  if (info.isForeign === true) return 'it belongs to another user';
  if (isForAll(info.mode)) {
    // Everyone is meant to write to the temporary directory of the system.
    const isSticky = wanted === 'directory' && (info.mode & sticky) !== 0;
    return `everyone may write to it; ${isSticky ? 'use a new folder in it' : 'run chmod o-w on it'}`;
  }
  if (wanted === 'file' && info.size > longestFileBytes) return `it is ${info.size} bytes long`;
  return undefined;
}

/** Whether everyone may write there. Windows has no such permissions and shows everything as writable. */
export function isForAll(mode: number): boolean {
  return (mode & worldWritable) !== 0 && process.platform !== 'win32';
}
