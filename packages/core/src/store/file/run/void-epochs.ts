/** How long the epoch of a run that does not exist is kept. */
const keptMs = 86_400_000;

/**
 * The epochs of runs that do not exist because their creation was in doubt. Memory is enough: only this process could still
 * commit such a batch.
 */
export class VoidEpochs {
  readonly #voids = new Map<string, { readonly epoch: number; readonly at: number }>();

  of(runId: string): number {
    return this.#voids.get(runId)?.epoch ?? 0;
  }

  raise(runId: string, now: number): number {
    for (const [id, { at }] of this.#voids) if (at < now - keptMs) this.#voids.delete(id);
    const epoch = this.of(runId) + 1;
    this.#voids.set(runId, { epoch, at: now });
    return epoch;
  }

  delete(runId: string): void {
    this.#voids.delete(runId);
  }
}
