import type { FileHandle, Files } from '../../env/files.ts';

interface Kept {
  readonly handle: Promise<FileHandle>;
  users: number;
}

/** Keeps the files that are written to open, up to a number; those not used for the longest are closed first. */
export class HandleCache {
  readonly #files: Files;
  readonly #most: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(files: Files, most: number) {
    this.#files = files;
    this.#most = most;
  }

  /** Uses the file, which stays open for the next use. */
  async use<T>(path: string, how: 'write' | 'create', call: (handle: FileHandle) => Promise<T>): Promise<T> {
    const kept = this.#kept.get(path) ?? { handle: this.#files.open(path, how), users: 0 };
    this.#kept.delete(path);
    this.#kept.set(path, kept);
    kept.users += 1;
    try {
      return await call(await this.#opened(path, kept));
    } finally {
      kept.users -= 1;
      if (this.#kept.size > this.#most) await this.#closeOldest();
    }
  }

  /** Closes the file, if it is open: it is about to be renamed or removed. */
  async close(path: string): Promise<void> {
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    await (await kept?.handle)?.close();
  }

  async closeAll(): Promise<void> {
    for (const path of this.#kept.keys()) await this.close(path).catch(() => {});
  }

  /** A file that could not be opened is tried again the next time. */
  async #opened(path: string, kept: Kept): Promise<FileHandle> {
    try {
      return await kept.handle;
    } catch (error) {
      this.#kept.delete(path);
      throw error;
    }
  }

  async #closeOldest(): Promise<void> {
    for (const [path, { users }] of this.#kept) {
      if (this.#kept.size <= this.#most) return;
      if (users === 0) await this.close(path);
    }
  }
}
