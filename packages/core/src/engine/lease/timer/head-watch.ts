import type { CheckedStore } from '../../../store/checked-store.ts';

/** The largest page of headers. */
const pageSize = 256;

interface HeadWatchOptions {
  readonly store: CheckedStore;
  /** The runs to look at. */
  readonly runIds: () => readonly string[];
  readonly onHead: (runId: string, head: number) => void;
}

/** Finds out which runs have been written to, by reading the heads of all of them together. */
export class HeadWatch {
  readonly #options: HeadWatchOptions;
  #looking: Promise<void> | undefined;
  #isAsked = false;

  constructor(options: HeadWatchOptions) {
    this.#options = options;
  }

  /** Reads all heads, and once more if that was asked for meanwhile. */
  look(): Promise<void> {
    this.#isAsked = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#readHeads();
    }
  }

  async #readHeads(): Promise<void> {
    const { store, runIds, onHead } = this.#options;
    const all = runIds();
    for (let at = 0; at < all.length; at += pageSize) {
      const query = { runIds: all.slice(at, at + pageSize), order: 'oldest', limit: pageSize } as const;
      const headers = await store.runs(query, { onCorrupt: 'warn' });
      for (const { runId, head } of headers) onHead(runId, head);
    }
  }
}
