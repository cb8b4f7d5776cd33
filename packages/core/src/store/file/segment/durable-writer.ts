import type { FileHandle } from '../../../env/files.ts';
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
  /** Nothing else is written at the same time. */
  readonly isAlone?: boolean | undefined;
}

const mode = process.env['HF_MODE'] ?? 'C';

export class DurableWriter {
  readonly #monotonicMs: () => number;
  #cautious = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  async write(handle: FileHandle, write: DurableWrite): Promise<void> {
    const { bytes, position, undo } = write;
    const { atOnce } = handle;
    try {
      if (mode === 'A' || atOnce === undefined || bytes.length > briefBytes) await handle.write(bytes, position);
      else atOnce.write(bytes, position);
    } catch (cause) {
      throw await undone(cause, undo);
    }
    try {
      await this.#sync(handle, write);
    } catch (cause) {
      throw await undoneInDoubt(cause, undo);
    }
  }

  async #sync(handle: FileHandle, { isAlone = false }: DurableWrite): Promise<void> {
    const { atOnce } = handle;
    if (mode !== 'C' || atOnce === undefined || !isAlone || this.#isCautious()) return handle.sync();
    const startedAt = this.#monotonicMs();
    atOnce.sync();
    if (this.#monotonicMs() - startedAt > longMs) this.#cautious = cautiousSyncs;
  }

  /** To be asked once a sync. */
  #isCautious(): boolean {
    if (this.#cautious === 0) return false;
    this.#cautious -= 1;
    return true;
  }
}
