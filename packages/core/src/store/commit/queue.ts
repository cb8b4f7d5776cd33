import type { Env } from '../../env/env.ts';
import type { Batch } from '../contract/commit.ts';
import type { SureResult } from './resolve-doubt.ts';

/** A batch larger than this makes the group it is in slower than two groups. */
const maxGroupBytes = 1_048_576;
/** How long a lone run may keep the event loop from its next tick. */
const maxBusyMs = 10;

interface Waiting {
  readonly batch: Batch;
  readonly bytes: number;
  readonly resolve: (result: SureResult) => void;
  readonly reject: (error: unknown) => void;
}

interface CommitQueueOptions {
  /** Commits a group; settles each batch by itself, because a group is only an optimisation. */
  readonly commit: (batches: readonly Batch[]) => Promise<readonly PromiseSettledResult<SureResult>[]>;
  readonly groupsInFlight: number;
  readonly env: Pick<Env, 'nextTick' | 'monotonicMs'>;
}

/**
 * Group commit: what comes in one tick of the event loop, and what comes while no further group may go, goes together. A
 * run that is alone does not wait for the tick: after a sync it costs a third of the commit.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  /** Runs with a batch in flight: their next one waits. */
  readonly #busy = new Set<string>();
  #groups = 0;
  #isTickDue = false;
  /** The run of the last group, if it was alone in it. */
  #lone: string | undefined;
  /** When the event loop last came to a tick, while a lone run keeps it. */
  #tickedMs: number | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Resolves with what became of the batch. @throws HOLDFAST_IN_DOUBT, HOLDFAST_STORE_FAILED, HOLDFAST_STORE_POISONED */
  add(batch: Batch, bytes: number): Promise<SureResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, bytes, resolve, reject });
      if (this.#isAlone(batch.runId)) this.#send();
      else this.#sendAfterTick();
    });
  }

  #isAlone(runId: string): boolean {
    if (this.#lone !== runId || this.#groups > 0 || this.#waiting.length > 1) return false;
    const { env } = this.#options;
    if (this.#tickedMs === undefined) {
      this.#tickedMs = env.monotonicMs();
      env.nextTick(() => {
        this.#tickedMs = undefined;
      });
    }
    return env.monotonicMs() - this.#tickedMs < maxBusyMs;
  }

  #sendAfterTick(): void {
    if (this.#isTickDue) return;
    this.#isTickDue = true;
    this.#options.env.nextTick(() => {
      this.#isTickDue = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#groups < this.#options.groupsInFlight) {
      const group = this.#takeGroup();
      if (group.length === 0) return;
      this.#lone = group.length === 1 ? group[0]?.batch.runId : undefined;
      void this.#commit(group);
    }
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    this.#groups += 1;
    for (const { batch } of group) this.#busy.add(batch.runId);
    const results = await this.#options.commit(group.map(({ batch }) => batch));
    for (const { batch } of group) this.#busy.delete(batch.runId);
    this.#groups -= 1;
    group.forEach((waiting, at) => settle(waiting, results[at] as PromiseSettledResult<SureResult>));
    this.#send();
  }

  /** The first batch of each run that has none in flight, up to the size, in run order: two processes never deadlock. */
  #takeGroup(): readonly Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    // Also of those that did not fit: what comes after them must not overtake them.
    const seen = new Set(this.#busy);
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const { runId } = waiting.batch;
      const fits = group.length === 0 || bytes + waiting.bytes <= maxGroupBytes;
      if (fits && !seen.has(runId)) {
        group.push(waiting);
        bytes += waiting.bytes;
      } else {
        later.push(waiting);
      }
      seen.add(runId);
    }
    this.#waiting = later;
    return group.length === 1 ? group : group.toSorted((a, b) => (a.batch.runId < b.batch.runId ? -1 : 1));
  }
}

function settle({ resolve, reject }: Waiting, result: PromiseSettledResult<SureResult>): void {
  if (result.status === 'fulfilled') resolve(result.value);
  else reject(result.reason);
}
