import type { Awaitable } from '../../../async/awaitable.ts';
import type { FileHandle } from '../../../env/files.ts';
import type { HoldfastError } from '../../../errors/holdfast-error.ts';
import { undone, undoneInDoubt } from '../errors.ts';

/** A write of up to this is a copy into the system's memory, and over before a thread could begin with it. */
const briefBytes = 65_536;
/** A sync that took longer than this was too long to stand still for. */
const longMs = 5;
/** So many syncs are left to threads after a long one. */
const cautiousSyncs = 16;

/** Bytes to be written and synced. */
export interface DurableWrite {
  readonly bytes: Uint8Array;
  readonly position: number;
  /** Takes back what was written, durably. */
  readonly undo: () => Promise<void>;
  /** Nothing is written beside it: there is no one to wait for but the disk. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Writes and syncs. A lone commit on a fast disk waits longer for threads to wake than for the disk, so it stands still
 * for it; on a disk that is slow, or busy, it does not.
 */
export class DurableWriter {
  readonly #monotonicMs: () => number;
  #cautious = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Without a promise when it stood still for all of it. A failure always is one: what was written is undone first.
   *
   * @throws HOLDFAST_STORE_FAILED: without effect when the write failed and was undone, in doubt otherwise
   */
  write(handle: FileHandle, write: DurableWrite): Awaitable<void> {
    const { bytes, position, undo } = write;
    const { atOnce } = handle;
    if (atOnce === undefined || bytes.length > briefBytes) return this.#writeInThread(handle, write);
    try {
      atOnce.write(bytes, position);
    } catch (cause) {
      return failWith(undone(cause, undo));
    }
    return this.#sync(handle, write);
  }

  async #writeInThread(handle: FileHandle, write: DurableWrite): Promise<void> {
    const { bytes, position, undo } = write;
    await handle.write(bytes, position).catch((cause: unknown) => failWith(undone(cause, undo)));
    await this.#sync(handle, write);
  }

  #sync(handle: FileHandle, { undo, isAlone = false }: DurableWrite): Awaitable<void> {
    const { atOnce } = handle;
    if (atOnce === undefined || !isAlone || this.#isCautious()) {
      return handle.sync().catch((cause: unknown) => failWith(undoneInDoubt(cause, undo)));
    }
    const startedAt = this.#monotonicMs();
    try {
      atOnce.sync();
    } catch (cause) {
      return failWith(undoneInDoubt(cause, undo));
    }
    if (this.#monotonicMs() - startedAt > longMs) this.#cautious = cautiousSyncs;
    return undefined;
  }

  /** To be asked once a sync. */
  #isCautious(): boolean {
    if (this.#cautious === 0) return false;
    this.#cautious -= 1;
    return true;
  }
}

async function failWith(fault: Promise<HoldfastError>): Promise<never> {
  throw await fault;
}
