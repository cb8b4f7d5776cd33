import type { CallsAtOnce, FileHandle, Files } from '../../../src/env/files.ts';
import type { Mutant } from './mutant.ts';

/** Some calls of a handle; those that are made at once are named one by one, too. */
export type HandleCalls = Omit<Partial<FileHandle>, 'atOnce'> & { readonly atOnce?: Partial<CallsAtOnce> | undefined };

/** The same handle, with some calls replaced. Without any that are to be made at once, the threads of the pool make all. */
export function withHandleCalls(handle: FileHandle, { atOnce, ...calls }: HandleCalls): FileHandle {
  return {
    write: (bytes, position) => handle.write(bytes, position),
    read: (position, length) => handle.read(position, length),
    size: () => handle.size(),
    truncate: (length) => handle.truncate(length),
    sync: () => handle.sync(),
    close: () => handle.close(),
    ...calls,
    atOnce: handle.atOnce && atOnce && { ...sameAtOnce(handle.atOnce), ...atOnce },
  };
}

function sameAtOnce(calls: CallsAtOnce): CallsAtOnce {
  return { write: (bytes, position) => calls.write(bytes, position), sync: () => calls.sync() };
}

/** The same files, with nothing that is waited for standing still: the threads of the pool make all calls. */
export function inThreads(files: Files): Files {
  return { ...files, open: async (path, how) => withHandleCalls(await files.open(path, how), {}) };
}

/**
 * The same files, with some calls of every journal's and snapshot's handle replaced. The store's other files stay as
 * they are: a mutant is to lose commits, not to be found out by a broken lock.
 */
function withHandles(files: Files, replace: (handle: FileHandle) => HandleCalls): Files {
  return {
    ...files,
    open: async (path, how) => {
      const handle = await files.open(path, how);
      return /[/\\]runs[/\\]/.test(path) ? withHandleCalls(handle, replace(handle)) : handle;
    },
  };
}

const nothing = async (): Promise<void> => {};
const nothingAtOnce = (): void => {};

/** Makes the call and takes a failure for success. */
export function deaf(call: () => void): void {
  try {
    call();
  } catch {
    // That is the mutant.
  }
}

function tellOfFullDisk(cause: unknown): never {
  throw Object.assign(new Error('The disk is full', { cause }), { code: 'ENOSPC' });
}

/** Mutants below the file store: a file system, or a use of it, that promises more than it does. */
export const filesMutants: readonly Mutant[] = [
  {
    name: 'no-sync',
    does: 'acknowledges without syncing the file',
    breaks: 'P1',
    stores: ['file'],
    caughtBy: ['power', 'disk'],
    files: (files) => withHandles(files, () => ({ sync: nothing, atOnce: { sync: nothingAtOnce } })),
  },
  {
    name: 'late-sync',
    does: 'acknowledges when the sync is asked for, not when it is done',
    breaks: 'P1',
    stores: ['file'],
    caughtBy: ['power', 'disk'],
    files: (files) =>
      withHandles(files, (handle) => {
        const syncLate = (): void => void setTimeout(() => void handle.sync().catch(() => {}), 20);
        return { sync: async () => syncLate(), atOnce: { sync: syncLate } };
      }),
  },
  {
    name: 'no-directory-sync',
    does: 'never syncs a directory',
    breaks: 'P1',
    stores: ['file'],
    caughtBy: ['disk'],
    files: (files) => ({ ...files, syncDirectory: nothing }),
  },
  {
    name: 'buffered-write',
    does: 'keeps what is written in memory for a while',
    breaks: 'P1',
    stores: ['file'],
    caughtBy: ['kill', 'power'],
    files: buffered,
  },
  {
    name: 'ignore-write-error',
    does: 'takes a failed write for a done one',
    breaks: 'P1',
    stores: ['file'],
    caughtBy: ['full-disk', 'syscall'],
    shownBy: 'EIO',
    files: (files) =>
      withHandles(files, (handle) => ({
        write: (bytes, position) => handle.write(bytes, position).catch(() => {}),
        atOnce: { write: (bytes, position) => deaf(() => handle.atOnce?.write(bytes, position)) },
      })),
  },
  {
    name: 'sync-error-as-full',
    does: 'tells of a failed sync as of a full disk, and keeps taking commits',
    breaks: 'P7',
    stores: ['file'],
    caughtBy: ['syscall'],
    shownBy: 'EIO',
    files: (files) =>
      withHandles(files, (handle) => ({
        write: async (bytes, position) => {
          await handle.write(bytes, position);
          await handle.sync().catch(tellOfFullDisk);
        },
      })),
  },
  {
    name: 'steal-lock',
    does: 'takes every lock for one that was let go of',
    breaks: 'P4',
    stores: ['file'],
    caughtBy: ['processes'],
    files: (files) => ({
      ...files,
      info: async (path) =>
        (await files.info(path)) ?? (/[/\\]released$/.test(path) ? { type: 'file', size: 0, mode: 0o600 } : undefined),
    }),
  },
];

/** Writes what was written only after some time, or when somebody looks. */
function buffered(files: Files): Files {
  const flushes = new Set<() => Promise<void>>();
  const after = async <T>(look: () => Promise<T>): Promise<T> => {
    await Promise.all([...flushes].map((flush) => flush()));
    return look();
  };
  const inside = withHandles(files, (handle) => {
    const buffer = new WriteBuffer(handle);
    flushes.add(() => buffer.flush());
    return {
      write: async (bytes, position) => buffer.add(bytes, position),
      sync: nothing,
      atOnce: { write: (bytes, position) => buffer.add(bytes, position), sync: nothingAtOnce },
      read: (position, length) => after(() => handle.read(position, length)),
      size: () => after(() => handle.size()),
      truncate: (length) => after(() => handle.truncate(length)),
      close: () => after(() => handle.close()),
    };
  });
  return {
    ...inside,
    open: (path, how) => after(() => inside.open(path, how)),
    readAll: (path) => after(() => files.readAll(path)),
    rename: (from, to) => after(() => files.rename(from, to)),
  };
}

const bufferedMs = 5;

/** What was written to a file and is not there yet. */
class WriteBuffer {
  readonly #handle: FileHandle;
  #waiting: { readonly bytes: Uint8Array; readonly position: number }[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  add(bytes: Uint8Array, position: number): void {
    if (this.#waiting.length === 0) setTimeout(() => void this.flush().catch(() => {}), bufferedMs);
    this.#waiting.push({ bytes: bytes.slice(), position });
  }

  flush(): Promise<void> {
    const writes = this.#waiting;
    this.#waiting = [];
    this.#last = this.#last.then(async () => {
      for (const { bytes, position } of writes) await this.#handle.write(bytes, position);
    });
    return this.#last;
  }
}
