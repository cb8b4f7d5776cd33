import type { Env } from '../../env/env.ts';
import type { Batch } from '../contract/commit.ts';
import type { SureResult } from './resolve-doubt.ts';

/** A group with a larger batch is slower than two groups. */
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
  /** Commits a group. Each batch settles by itself, because a group is only an optimisation. */
  readonly commit: (batches: readonly Batch[]) => Promise<readonly PromiseSettledResult<SureResult>[]>;
  readonly groupsInFlight: number;
  readonly env: Pick<Env, 'nextTick' | 'monotonicMs'>;
}

/**
 * Group commit: batches that arrive in one event-loop tick, or while all slots are busy, are committed together. A lone
 * run does not wait for the tick: after a sync, that would cost a third of the commit.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  /** Runs with a batch in flight. Their next batch waits. */
  readonly #busy = new Set<string>();
  #groups = 0;
  #isTickDue = false;
  /** The run of the last group, if it was alone in it. */
  #lone: string | undefined;
  /** The time of the last event-loop tick, while a lone run blocks it. */
  #tickedMs: number | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Resolves with the result of the batch. @throws HOLDFAST_IN_DOUBT, HOLDFAST_STORE_FAILED, HOLDFAST_STORE_POISONED */
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
    this.#settle(group, await this.#options.commit(group.map(({ batch }) => batch)));
    this.#send();
  }

  #settle(group: readonly Waiting[], results: readonly PromiseSettledResult<SureResult>[]): void {
    this.#groups -= 1;
    for (const { batch } of group) this.#busy.delete(batch.runId);
    group.forEach((waiting, at) => settle(waiting, results[at] as PromiseSettledResult<SureResult>));
  }

  /** The first batch of each run without one in flight, up to the size limit. In run order, so that processes never deadlock. */
  #takeGroup(): readonly Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    // The runs whose batch did not fit: their later batches must not overtake it.
    let left: Set<string> | undefined;
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const { runId } = waiting.batch;
      const fits = group.length === 0 || bytes + waiting.bytes <= maxGroupBytes;
      if (fits && !this.#busy.has(runId) && left?.has(runId) !== true) {
        this.#busy.add(runId);
        group.push(waiting);
        bytes += waiting.bytes;
      } else {
        left ??= new Set();
        left.add(runId);
        later.push(waiting);
      }
    }
    this.#waiting = later;
    return group.length === 1 ? group : group.toSorted((a, b) => (a.batch.runId < b.batch.runId ? -1 : 1));
  }
}

function settle({ resolve, reject }: Waiting, result: PromiseSettledResult<SureResult>): void {
  if (result.status === 'fulfilled') resolve(result.value);
  else reject(result.reason);
}
