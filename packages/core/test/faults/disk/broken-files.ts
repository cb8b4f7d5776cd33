import type { FileHandle, Files } from '../../../src/env/files.ts';
import { type HandleCalls, withHandleCalls } from '../mutant/files-mutants.ts';

/** A path of a file that is being opened, and how. */
interface Opening {
  readonly path: string;
  readonly how: 'read' | 'write' | 'create';
}

type BreakHandle = (handle: FileHandle, opening: Opening) => HandleCalls;

interface BrokenFilesOptions {
  readonly handle?: BreakHandle | undefined;
  readonly calls?: Partial<Files> | undefined;
}

/** The same files, with some calls of them and of their handles replaced. */
export function brokenFiles(files: Files, { handle: breakHandle = () => ({}), calls = {} }: BrokenFilesOptions): Files {
  return {
    ...plainFiles(files),
    open: async (path, how) => {
      const handle = await files.open(path, how);
      return withHandleCalls(handle, { atOnce: {}, ...breakHandle(handle, { path, how }) });
    },
    ...calls,
  };
}

/** The same files, with some calls of the journals replaced: what becomes of those is what commits are lost by. */
export function brokenJournals(files: Files, replace: (handle: FileHandle) => HandleCalls): Files {
  return brokenFiles(files, { handle: (handle, { path }) => (kindOf(path) === 'journal' ? replace(handle) : {}) });
}

/** Files whose calls can be taken one by one: those of a class cannot. */
export function plainFiles(files: Files): Files {
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
  };
}

/** Changes what every reader of some files gets. */
export function misreadFiles(files: Files, misread: (bytes: Uint8Array, path: string) => Uint8Array): Files {
  const readAll = async (path: string): Promise<Uint8Array> => misread(await files.readAll(path), path);
  return brokenFiles(files, {
    handle: (handle, { path }) => {
      const whole = async (): Promise<Uint8Array> => misread(await handle.read(0, await handle.size()), path);
      return {
        read: async (position, length) => (await whole()).slice(position, position + length),
        size: async () => (await whole()).length,
      };
    },
    calls: { readAll },
  });
}

const nothing = async (): Promise<void> => {};

/** No sync of the files that are meant. */
export function unsynced(files: Files, isMeant: (path: string) => boolean): Files {
  return brokenFiles(files, {
    handle: (_, { path }) => (isMeant(path) ? { sync: nothing, atOnce: { sync: () => {} } } : {}),
  });
}

/** No sync of the directories that are meant. */
export function unsyncedDirectory(files: Files, isMeant: (path: string) => boolean): Files {
  return brokenFiles(files, {
    calls: { syncDirectory: async (path) => (isMeant(path) ? undefined : files.syncDirectory(path)) },
  });
}

/** What of the file store a path is. */
export function kindOf(path: string): 'journal' | 'snapshot' | 'draft' | 'other' {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.endsWith('.tmp')) return 'draft';
  if (name.startsWith('journal-')) return 'journal';
  return name.startsWith('snapshot-') ? 'snapshot' : 'other';
}
