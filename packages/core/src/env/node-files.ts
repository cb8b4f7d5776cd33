import { constants, fdatasyncSync, type Stats, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { unsafeReason } from './file-safety.ts';
import type { CallsAtOnce, FileHandle, FileInfo, Files } from './files.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/**
 * Never follow a symbolic link in the last component, so that nobody can redirect the store, and never wait for the other
 * end of a pipe.
 */
const flags = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW | O_NONBLOCK,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/** The file system of this machine. */
export const nodeFiles: Files = {
  makeDirectory,
  makeDirectories,
  list: (path) => fs.readdir(path),
  info: async (path) => {
    try {
      return toInfo(await fs.lstat(path));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  },
  open: async (path, how) => (await openPlain(path, how)).handle,
  readAll: async (path) => {
    const { handle, size } = await openPlain(path, 'read');
    try {
      return await handle.read(0, size);
    } finally {
      await handle.close();
    }
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  removeDirectory: (path) => fs.rmdir(path),
  syncDirectory: async (path) => {
    const handle = await fs.open(path, O_RDONLY | O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

async function makeDirectory(path: string): Promise<void> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await fs.lstat(path)).isDirectory()) throw error;
  }
}

/** One directory at a time: Node's recursive mkdir reports ENOENT for a full or read-only disk. */
async function makeDirectories(path: string): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeDirectories(dirname(path));
    await makeDirectory(path);
  }
}

interface OpenedFile {
  readonly handle: NodeFileHandle;
  readonly size: number;
}

/** Opens a file that is safe to use. It is looked at when it is open, so that nobody can exchange it in between. */
async function openPlain(path: string, how: keyof typeof flags): Promise<OpenedFile> {
  const handle = await fs.open(path, flags[how], 0o600).catch((cause: unknown) => {
    throw whyNotOpened(path, cause);
  });
  // One that was just created is ours.
  if (how === 'create') return { handle: new NodeFileHandle(handle), size: 0 };
  try {
    const info = toInfo(await handle.stat());
    const reason = unsafeReason(info, 'file');
    if (reason !== undefined) throw unsafeFile(path, reason);
    return { handle: new NodeFileHandle(handle), size: info.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What the system says of a link, a directory that is to be written, and a socket or a device without a driver. */
function whyNotOpened(path: string, cause: unknown): unknown {
  if (hasCode(cause, 'ELOOP')) return unsafeFile(path, 'it is a symbolic link', cause);
  if (hasCode(cause, 'EISDIR', 'ENXIO', 'ENODEV')) return unsafeFile(path, 'it is not a file', cause);
  return cause;
}

function unsafeFile(path: string, reason: string, cause?: unknown): HoldfastError {
  const message = `${path} cannot be part of a store: ${reason}. Find out who put it there, and restore the file.`;
  return holdfastError('HOLDFAST_STORE_UNSAFE', message, { details: { path }, cause });
}

/** Not a valid file descriptor. */
const noFile = -1;

class NodeFileHandle implements FileHandle {
  readonly #handle: fs.FileHandle;
  readonly atOnce: CallsAtOnce;
  /** Cached, because `handle.fd` is slow. Cleared on close, because the number may be reused for another file. */
  #fd: number;

  constructor(handle: fs.FileHandle) {
    this.#handle = handle;
    this.#fd = handle.fd;
    this.atOnce = {
      write: (bytes, position) => writeAllAtOnce(this.#fd, bytes, position),
      sync: () => fdatasyncSync(this.#fd),
    };
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    await writeAll(this.#handle, bytes, position);
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#handle.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
  }

  /** fdatasync includes the length. It skips the file's times, which we do not need. */
  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    this.#fd = noFile;
    await this.#handle.close();
  }
}

/** The part of a Node file handle that writeAll() needs. */
export interface Writable {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/**
 * Writes all bytes. The system may write fewer than it was given, especially when the disk fills up; the next try then
 * reports the reason.
 */
export async function writeAll(file: Writable, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += checkProgress(bytesWritten, bytes.length - done);
  }
}

function writeAllAtOnce(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += checkProgress(writeSync(fd, bytes, done, bytes.length - done, position + done), bytes.length - done);
  }
}

function checkProgress(written: number, left: number): number {
  if (written > 0) return written;
  throw new Error(`The system wrote none of ${left} bytes and gave no reason`);
}

function toInfo(stats: Stats): FileInfo {
  const type = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'directory'
      : stats.isSymbolicLink()
        ? 'symlink'
        : 'other';
  return { type, size: stats.size, mode: stats.mode & 0o7777, isForeign: isForeign(stats.uid) };
}

/** Windows has no user ids; there, nothing is foreign. */
function isForeign(uid: number): boolean {
  return uid !== 0 && uid !== (process.geteuid?.() ?? uid);
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code as string);
}
