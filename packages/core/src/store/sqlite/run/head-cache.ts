import type { KnownRun } from './run-row.ts';

/** A run costs about a kilobyte here. */
const capacity = 16_384;

/**
 * What this connection last knew of its runs, so that a commit need not read before it writes. It may be stale: a commit
 * names the head's checksum, and one that does not find it there reads again.
 */
export class HeadCache {
  readonly #runs = new Map<string, KnownRun>();

  get(runId: string): KnownRun | undefined {
    return this.#runs.get(runId);
  }

  set(known: KnownRun): void {
    const { run: runId } = known.row;
    if (this.#runs.size >= capacity && !this.#runs.has(runId))
      this.#runs.delete(this.#runs.keys().next().value as string);
    this.#runs.set(runId, known);
  }
}
