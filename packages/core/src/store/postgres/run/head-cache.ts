import type { KnownRun } from './run-row.ts';

/** A run costs about a kilobyte here. */
const capacity = 16_384;

/**
 * What this process last knew of runs, so that a commit need not read before it writes. It may be stale: a write names the
 * run's `rev`, and one that does not find it reads the run again.
 */
export class HeadCache {
  readonly #runs = new Map<string, KnownRun>();

  get(runId: string): KnownRun | undefined {
    return this.#runs.get(runId);
  }

  set(known: KnownRun): void {
    const { run: runId, key } = known.row;
    const before = this.#runs.get(runId);
    // A read may be answered after a write that came later.
    if (before?.row.key === key && before.head.rev > known.head.rev) return;
    if (this.#runs.size >= capacity && !this.#runs.has(runId))
      this.#runs.delete(this.#runs.keys().next().value as string);
    this.#runs.set(runId, known);
  }
}
