import type { FileHandle } from '../../../env/files.ts';
import { undone, undoneInDoubt } from '../errors.ts';

/** Writing up to this much only copies it into the system's cache, which takes less time than waking a thread. */
const briefBytes = 65_536;
/** After a sync that took longer than this, blocking for the next ones is not worth it. */
const longMs = 5;
/** How many syncs are left to threads after a long one. */
const cautiousSyncs = 16;

/** Bytes to be written and synced. */
export interface DurableWrite {
  readonly bytes: Uint8Array;
  readonly position: number;
  /** Removes what was written, durably. */
  readonly undo: () => Promise<void>;
  /** Nothing else is written at the same time. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Writes and syncs. Waking threads takes longer than a fast disk, so a lone commit blocks for its sync; on a slow or busy
 * disk it does not. What that gains is in the decision record "Use one asynchronous write path for files".
 */
export class DurableWriter {
  readonly #monotonicMs: () => number;
  #cautious = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** @throws HOLDFAST_STORE_FAILED: without effect when the write failed and was undone, in doubt otherwise */
  async write(handle: FileHandle, { bytes, position, undo, isAlone = false }: DurableWrite): Promise<void> {
    const { atOnce } = handle;
    try {
      if (atOnce === undefined || bytes.length > briefBytes) await handle.write(bytes, position);
      else atOnce.write(bytes, position);
    } catch (cause) {
      throw await undone(cause, undo);
    }
    try {
      if (atOnce === undefined || !isAlone || this.#isCautious()) await handle.sync();
      else this.#timed(() => atOnce.sync());
    } catch (cause) {
      throw await undoneInDoubt(cause, undo);
    }
  }

  #timed(sync: () => void): void {
    const startedAt = this.#monotonicMs();
    sync();
    if (this.#monotonicMs() - startedAt > longMs) this.#cautious = cautiousSyncs;
  }

  /** To be asked once per sync. */
  #isCautious(): boolean {
    if (this.#cautious === 0) return false;
    this.#cautious -= 1;
    return true;
  }
}
