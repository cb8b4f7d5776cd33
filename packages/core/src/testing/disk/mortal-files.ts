import type { FileHandle, Files } from '../../env/files.ts';

interface MortalFilesOptions {
  /** How many changes and syncs the process asks for before it is killed. */
  readonly changes: number;
  readonly onDeath: () => void;
}

/**
 * The files of a process that is killed in the middle of its work: from then on nothing that it asks for happens, and
 * nothing is answered. What it did before is seen by the next process, synced or not.
 */
export function mortalFiles(files: Files, { changes, onDeath }: MortalFilesOptions): Files {
  let left = changes;
  const live = <T>(call: () => Promise<T>): Promise<T> => (left < 0 ? new Promise<T>(() => {}) : call());
  const change = <T>(call: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left === -1) onDeath();
    return live(call);
  };
  /** Who cannot be kept waiting for ever is thrown out; the next thing it asks for is never answered. */
  const changeAtOnce = (call: () => void): void => {
    left -= 1;
    if (left === -1) onDeath();
    if (left < 0) throw new Error('The process was killed');
    call();
  };
  const mortalHandle = (handle: FileHandle): FileHandle => ({
    write: (bytes, position) => change(() => handle.write(bytes, position)),
    read: (position, length) => live(() => handle.read(position, length)),
    size: () => live(() => handle.size()),
    truncate: (length) => change(() => handle.truncate(length)),
    sync: () => change(() => handle.sync()),
    close: () => live(() => handle.close()),
    atOnce: handle.atOnce && {
      write: (bytes, position) => changeAtOnce(() => handle.atOnce?.write(bytes, position)),
      sync: () => changeAtOnce(() => handle.atOnce?.sync()),
    },
  });
  return {
    makeDirectory: (path) => change(() => files.makeDirectory(path)),
    makeDirectories: (path) => change(() => files.makeDirectories(path)),
    list: (path) => live(() => files.list(path)),
    info: (path) => live(() => files.info(path)),
    open: async (path, how) => {
      const open = (): Promise<FileHandle> => files.open(path, how);
      return mortalHandle(await (how === 'create' ? change(open) : live(open)));
    },
    readAll: (path) => live(() => files.readAll(path)),
    rename: (from, to) => change(() => files.rename(from, to)),
    remove: (path) => change(() => files.remove(path)),
    removeDirectory: (path) => change(() => files.removeDirectory(path)),
    syncDirectory: (path) => change(() => files.syncDirectory(path)),
  };
}
