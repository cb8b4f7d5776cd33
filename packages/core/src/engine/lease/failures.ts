import type { HoldfastError } from '../../errors/holdfast-error.ts';

/** Of more runs than this nobody asks why they could not be continued. */
const mostKept = 1_000;

/** Why runs could not be continued here, until somebody asks. */
export class Failures {
  readonly #failures = new Map<string, HoldfastError>();

  set(runId: string, failure: HoldfastError): void {
    this.#failures.delete(runId);
    this.#failures.set(runId, failure);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostKept && oldest !== undefined) this.#failures.delete(oldest);
  }

  pop(runId: string): HoldfastError | undefined {
    const failure = this.#failures.get(runId);
    this.#failures.delete(runId);
    return failure;
  }
}
