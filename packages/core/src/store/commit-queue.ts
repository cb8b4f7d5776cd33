import type { Awaitable } from '../async/awaitable.ts';
import type { Env } from '../env/env.ts';
import type { Batch, BatchResult } from './contract.ts';
import { LoneWriter } from './lone-writer.ts';

/** A batch larger than this makes the group it is in slower than two groups. */
const maxGroupBytes = 1_048_576;

interface Waiting {
  readonly batch: Batch;
  readonly bytes: number;
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: unknown) => void;
}

interface CommitQueueOptions {
  /** Commits a group; settles each batch by itself, because a group is only an optimisation. */
  readonly commit: (batches: readonly Batch[]) => Promise<readonly PromiseSettledResult<BatchResult>[]>;
  /** Commits one batch, without a promise where there is nothing to wait for. */
  readonly commitOne: (batch: Batch) => Awaitable<BatchResult>;
  readonly env: Pick<Env, 'nextTurn' | 'monotonicMs'>;
}

/**
 * Group commit: what comes in one turn of the event loop, and what comes while a group is under way, goes together.
 * A commit that may not be alone waits for the end of the turn and never for a timer.
 */
export class CommitQueue {
  readonly #commit: CommitQueueOptions['commit'];
  readonly #commitOne: CommitQueueOptions['commitOne'];
  readonly #env: CommitQueueOptions['env'];
  readonly #lone: LoneWriter;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor({ commit, commitOne, env }: CommitQueueOptions) {
    this.#commit = commit;
    this.#commitOne = commitOne;
    this.#env = env;
    this.#lone = new LoneWriter(env);
  }

  add(batch: Batch, bytes: number): Awaitable<BatchResult> {
    return !this.#busy && this.#lone.isAlone(batch.run) ? this.#goAtOnce(batch) : this.#wait(batch, bytes);
  }

  #goAtOnce(batch: Batch): Awaitable<BatchResult> {
    const result = this.#commitOne(batch);
    if (result instanceof Promise) {
      this.#busy = true;
      const goOn = (): void => void this.#work();
      result.then(goOn, goOn);
    }
    return result;
  }

  #wait(batch: Batch, bytes: number): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, bytes, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      this.#env.nextTurn(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      this.#lone.sawGroup(group.length);
      const results = await this.#commit(group.map(({ batch }) => batch));
      group.forEach((waiting, at) => settle(waiting, results[at] as PromiseSettledResult<BatchResult>));
    }
    this.#busy = false;
  }

  /** The first batch of each run, up to the size; in run order, so that two processes never wait for each other. */
  #takeGroup(): readonly Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    // Also of those that did not fit: what comes after them must not overtake them.
    const seen = new Set<string>();
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const { run } = waiting.batch;
      const fits = group.length === 0 || bytes + waiting.bytes <= maxGroupBytes;
      if (fits && !seen.has(run)) {
        group.push(waiting);
        bytes += waiting.bytes;
      } else {
        later.push(waiting);
      }
      seen.add(run);
    }
    this.#waiting = later;
    return group.toSorted((a, b) => (a.batch.run < b.batch.run ? -1 : 1));
  }
}

function settle({ resolve, reject }: Waiting, result: PromiseSettledResult<BatchResult>): void {
  if (result.status === 'fulfilled') resolve(result.value);
  else reject(result.reason);
}
