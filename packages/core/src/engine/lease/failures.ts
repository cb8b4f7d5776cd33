import type { HoldfastError } from '../../errors/holdfast-error.ts';

/** Keeps the failures of at most this many runs. */
const mostKept = 1_000;

interface Failure {
  readonly error: HoldfastError;
  /** The head of the run when it failed. */
  readonly head: number;
}

/** Why runs could not be continued here, kept until someone asks. */
export class Failures {
  readonly #failures = new Map<string, Failure>();

  set(runId: string, failure: Failure): void {
    this.#failures.delete(runId);
    this.#failures.set(runId, failure);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostKept && oldest !== undefined) this.#failures.delete(oldest);
  }

  /** Returns the failure once. With a head, only a failure at that head: someone may have written to the run since. */
  pop(runId: string, head?: number): HoldfastError | undefined {
    const failure = this.#failures.get(runId);
    if (failure === undefined || failure.head !== (head ?? failure.head)) return undefined;
    this.#failures.delete(runId);
    return failure.error;
  }

  /** Forgets the failure: the run is executed again. */
  clear(runId: string): void {
    this.#failures.delete(runId);
  }
}
