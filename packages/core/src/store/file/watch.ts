import type { HintListener } from '../contract/driver.ts';

/** Who is told of changes. */
export class Watchers {
  readonly #listeners = new Set<HintListener>();

  add(listener: HintListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(runId: string, head: number): void {
    for (const listener of this.#listeners) listener({ runId, head });
  }

  clear(): void {
    this.#listeners.clear();
  }
}
