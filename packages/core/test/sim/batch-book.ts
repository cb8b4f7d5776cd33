import type { Batch, DoubtResult } from '../../src/store/contract/commit.ts';

/** What has become of every batch: made once at most, and never after somebody was told that it was not made. */
export class BatchBook {
  readonly #tell: (violation: string) => void;
  /** Tokens of batches that were made. */
  readonly #made = new Set<string>();
  /** Requests of which somebody was told that they were not made and never will be. */
  readonly #absent = new Set<string>();

  constructor(tell: (violation: string) => void) {
    this.#tell = tell;
  }

  committed(batch: Batch): void {
    if (this.#made.has(batch.token)) this.#tell(`${nameOf(batch)} was made twice`);
    if (this.#absent.has(requestOf(batch))) this.#tell(`${nameOf(batch)} was made after it was said to be absent`);
    this.#made.add(batch.token);
  }

  refused(batch: Batch): void {
    // The second of two that are the same is refused because of the first.
    if (!this.#made.has(batch.token)) this.#absent.add(requestOf(batch));
  }

  resolved(batch: Batch, { outcome }: DoubtResult): void {
    const isMade = this.#made.has(batch.token);
    if (outcome === 'committed' && !isMade) this.#tell(`${nameOf(batch)} is said to be made and is not`);
    if (outcome !== 'absent') return;
    if (isMade) this.#tell(`${nameOf(batch)} is said to be absent and is there`);
    this.#absent.add(requestOf(batch));
  }
}

/** A batch is repeated with the same token and another epoch. */
function requestOf({ token, epoch }: Batch): string {
  return `${token} ${epoch}`;
}

function nameOf({ runId, expect }: Batch): string {
  return `a batch of ${runId} after ${expect}`;
}
