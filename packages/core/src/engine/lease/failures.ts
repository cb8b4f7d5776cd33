import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { backoffMs } from '../../time/backoff.ts';

/** Keeps the failures of at most this many runs. */
const mostKept = 1_000;
const firstPauseMs = 200;
const longestPauseMs = 1_000;
/** By then the waits no longer grow. The store may be away for hours, and the run is still to be continued. */
const mostRetries = 5;

interface Failure {
  readonly error: HoldfastError;
  /** The head of the run when it failed. */
  readonly head: number;
}

/** What follows from another failure. */
interface Again {
  /** How often it was tried again already, but never so often that nobody would try any more. */
  readonly retries: number;
  /** How long to wait before the run is released: it would be claimed again at once. */
  readonly pauseMs: number;
}

/** Why runs could not be continued here, kept until someone asks. */
export class Failures {
  readonly #failures = new Map<string, Failure>();
  readonly #counts = new Map<string, { readonly head: number; readonly attempt: number }>();

  set(runId: string, failure: Failure): void {
    this.#failures.delete(runId);
    this.#failures.set(runId, failure);
    dropOldest(this.#failures);
  }

  /** Returns the failure once. With a head, only a failure at that head: someone may have written to the run since. */
  pop(runId: string, head?: number): HoldfastError | undefined {
    const failure = this.#failures.get(runId);
    if (failure === undefined || failure.head !== (head ?? failure.head)) return undefined;
    this.#failures.delete(runId);
    return failure.error;
  }

  /** Counts one more failure at this head of the run, and says how long to wait: longer each time. */
  again({ runId, head }: Pick<RunHeader, 'runId' | 'head'>, random: () => number): Again {
    const before = this.#counts.get(runId);
    const attempt = before?.head === head ? before.attempt + 1 : 1;
    this.#counts.delete(runId);
    this.#counts.set(runId, { head, attempt });
    dropOldest(this.#counts);
    const pauseMs = backoffMs({ attempt, backoffMs: firstPauseMs, maxBackoffMs: longestPauseMs, factor: 2, random });
    return { retries: Math.min(attempt - 1, mostRetries), pauseMs };
  }

  /** Forgets the failure: the run is executed again. */
  clear(runId: string): void {
    this.#failures.delete(runId);
  }
}

function dropOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}
