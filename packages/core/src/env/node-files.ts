import { constants, fdatasyncSync, type Stats, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { CallsAtOnce, FileHandle, FileInfo, Files } from './files.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

/** Never follow a symbolic link in the last component, so that nobody can redirect the store. */
const flags = {
  read: O_RDONLY | O_NOFOLLOW,
  write: O_RDWR | O_NOFOLLOW,
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
  open: async (path, how) => new NodeFileHandle(await openPlain(path, flags[how])),
  readAll: async (path) => {
    const handle = new NodeFileHandle(await openPlain(path, flags.read));
    try {
      return await handle.read(0, await handle.size());
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

async function openPlain(path: string, how: number): Promise<fs.FileHandle> {
  try {
    return await fs.open(path, how, 0o600);
  } catch (error) {
    if (!hasCode(error, 'ELOOP')) throw error;
    const message = `${path} is a symbolic link, which a store must not contain. Replace it with the file itself.`;
    throw holdfastError('HOLDFAST_STORE_UNSAFE', message, { details: { path }, cause: error });
  }
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
  return { type, size: stats.size, mode: stats.mode & 0o7777 };
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code as string);
}
