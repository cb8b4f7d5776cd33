import type { FileHandle, Waiting } from '../../env/files.ts';
import { undone, undoneInDoubt } from './write-fault.ts';

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

  /** @throws HOLDFAST_STORE_FAILED: without effect when the write failed and was undone, in doubt otherwise */
  async write(handle: FileHandle, { bytes, position, undo, isAlone = false }: DurableWrite): Promise<void> {
    await handle
      .write(bytes, position, bytes.length <= briefBytes ? 'block' : 'yield')
      .catch(async (cause: unknown) => {
        throw await undone(cause, undo);
      });
    const waiting = this.#waiting(isAlone);
    const startedAt = this.#monotonicMs();
    await handle.sync(waiting).catch(async (cause: unknown) => {
      throw await undoneInDoubt(cause, undo);
    });
    if (waiting === 'block' && this.#monotonicMs() - startedAt > longMs) this.#cautious = cautiousSyncs;
  }

  #waiting(isAlone: boolean): Waiting {
    if (!isAlone) return 'yield';
    if (this.#cautious === 0) return 'block';
    this.#cautious -= 1;
    return 'yield';
  }
}
