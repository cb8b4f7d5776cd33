import { constants, fdatasyncSync, type Stats, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { CallsAtOnce, FileHandle, FileInfo, Files } from './files.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

/** A last component that is a symbolic link is never followed: nobody can redirect the store to another place. */
const flags = {
  read: O_RDONLY | O_NOFOLLOW,
  write: O_RDWR | O_NOFOLLOW,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/** The file system of the machine. */
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

/** One by one: Node's own way says of a full disk, and of one that is read-only, that there is no such directory. */
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
    const message = `${path} is a symbolic link, and nothing in a store may lead elsewhere. Put the file itself there.`;
    throw holdfastError('HOLDFAST_STORE_UNSAFE', message, { details: { path }, cause: error });
  }
}

/** No open file has this number. */
const noFile = -1;

class NodeFileHandle implements FileHandle {
  readonly #handle: fs.FileHandle;
  readonly atOnce: CallsAtOnce;
  /** Kept beside the handle, which takes long to say it; none when it is closed, since another file gets the number then. */
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

  /** The length is data as far as fdatasync is concerned; the times of the file are not, and nobody needs them. */
  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    this.#fd = noFile;
    await this.#handle.close();
  }
}

/** The part of a Node file handle that writing takes. */
export interface Writable {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/**
 * Writes all the bytes: the system may take fewer than it was given, above all when the disk fills up. The next try
 * then gives the reason.
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
