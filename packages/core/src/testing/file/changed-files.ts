import type { CallsAtOnce, FileHandle, Files } from '../../env/files.ts';

/** The files with some of their calls replaced. */
export function changedFiles(files: Files, calls: Partial<Files>): Files {
  return {
    makeDirectory: (path) => files.makeDirectory(path),
    makeDirectories: (path) => files.makeDirectories(path),
    list: (path) => files.list(path),
    info: (path) => files.info(path),
    open: (path, how) => files.open(path, how),
    readAll: (path) => files.readAll(path),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    removeDirectory: (path) => files.removeDirectory(path),
    syncDirectory: (path) => files.syncDirectory(path),
    ...calls,
  };
}

/** The handle with other writing, in both its ways. */
export function withWrite(handle: FileHandle, write: CallsAtOnce['write']): FileHandle {
  return {
    ...handle,
    write: async (bytes, position) => write(bytes, position),
    atOnce: handle.atOnce && { ...handle.atOnce, write },
  };
}
