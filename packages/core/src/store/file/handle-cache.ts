import type { Awaitable } from '../../async/awaitable.ts';
import type { FileHandle, Files } from '../../env/files.ts';
import { withoutEffect } from './write-fault.ts';

interface Kept {
  readonly opening: Promise<FileHandle>;
  /** Undefined until it is open. */
  handle: FileHandle | undefined;
  users: number;
}

/** Keeps the files that are written to open, up to a number; those not used for the longest are closed first. */
export class HandleCache {
  readonly #files: Files;
  readonly #most: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  /** The last of them. */
  #newest: Kept | undefined;

  constructor(files: Files, most: number) {
    this.#files = files;
    this.#most = most;
  }

  /**
   * Uses the file, which stays open for the next use; without a promise when it is open and the call needs none.
   *
   * @throws HOLDFAST_STORE_FAILED when it cannot be opened: nothing has been written to it
   */
  use<T>(path: string, how: 'write' | 'create', call: (handle: FileHandle) => Awaitable<T>): Awaitable<T> {
    const kept = this.#kept.get(path) ?? this.#open(path, how);
    if (kept !== this.#newest) {
      this.#kept.delete(path);
      this.#kept.set(path, kept);
      this.#newest = kept;
    }
    if (kept.handle === undefined) return this.#hold(kept, kept.opening.then(call, couldNotOpen));
    const result = call(kept.handle);
    return result instanceof Promise ? this.#hold(kept, result) : result;
  }

  /** A file that could not be opened is tried again the next time. */
  #open(path: string, how: 'write' | 'create'): Kept {
    const kept: Kept = { opening: this.#files.open(path, how), handle: undefined, users: 0 };
    kept.opening.then(
      (handle) => {
        kept.handle = handle;
      },
      () => this.#kept.delete(path),
    );
    return kept;
  }

  /** A file is not closed while it is used. */
  async #hold<T>(kept: Kept, using: Promise<T>): Promise<T> {
    kept.users += 1;
    try {
      return await using;
    } finally {
      kept.users -= 1;
      if (this.#kept.size > this.#most) await this.#closeOldest();
    }
  }

  /** Closes the file, if it is open: it is about to be renamed or removed. */
  async close(path: string): Promise<void> {
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    if (kept === this.#newest) this.#newest = undefined;
    await (await kept?.opening)?.close();
  }

  async closeAll(): Promise<void> {
    for (const path of this.#kept.keys()) await this.close(path).catch(() => {});
  }

  async #closeOldest(): Promise<void> {
    for (const [path, { users }] of this.#kept) {
      if (this.#kept.size <= this.#most) return;
      if (users === 0) await this.close(path);
    }
  }
}

function couldNotOpen(cause: unknown): never {
  throw withoutEffect(cause);
}
