import type { Awaitable } from '../../async/awaitable.ts';
import type { Env } from '../../env/env.ts';
import type { Batch, BatchResult } from '../contract.ts';
import type { InFlight } from '../in-flight.ts';
import { LoneWriter } from './lone-writer.ts';

/** A batch larger than this makes the group it is in slower than two groups. */
const maxGroupBytes = 1_048_576;

/** What whoever asked for a commit is told of its result. */
type Told = (result: BatchResult) => unknown;

interface Waiting {
  readonly batch: Batch;
  readonly bytes: number;
  readonly told: Told;
  readonly resolve: (told: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface CommitQueueOptions {
  /** Commits a group; settles each batch by itself, because a group is only an optimisation. */
  readonly commit: (batches: readonly Batch[]) => Promise<readonly PromiseSettledResult<BatchResult>[]>;
  /** Commits one batch, without a promise where there is nothing to wait for. */
  readonly commitOne: (batch: Batch) => Awaitable<BatchResult>;
  readonly env: Pick<Env, 'nextTick' | 'monotonicMs'>;
  /** Counts as long as anything waits or is being committed. */
  readonly inFlight: InFlight;
}

/**
 * Group commit: what comes in one turn of the event loop, and what comes while a group is in flight, goes together.
 * A commit that may not be alone waits for the end of the turn and never for a timer.
 */
export class CommitQueue {
  readonly #commit: CommitQueueOptions['commit'];
  readonly #commitOne: CommitQueueOptions['commitOne'];
  readonly #env: CommitQueueOptions['env'];
  readonly #inFlight: InFlight;
  readonly #lone: LoneWriter;
  #waiting: Waiting[] = [];
  /** Called when all is done; undefined while there is nothing to do. */
  #done: (() => void) | undefined;

  constructor({ commit, commitOne, env, inFlight }: CommitQueueOptions) {
    this.#commit = commit;
    this.#commitOne = commitOne;
    this.#env = env;
    this.#inFlight = inFlight;
    this.#lone = new LoneWriter(env);
  }

  /** Gives what is to be told of the result; in a promise where it has to be waited for. */
  add<T>(batch: Batch, bytes: number, told: (result: BatchResult) => T): Awaitable<T> {
    return this.#done === undefined && this.#lone.isAlone(batch.runId)
      ? this.#goAtOnce(batch, told)
      : this.#wait<T>(batch, bytes, told);
  }

  #goAtOnce<T>(batch: Batch, told: (result: BatchResult) => T): Awaitable<T> {
    const result = this.#commitOne(batch);
    if (!(result instanceof Promise)) return this.#lone.isOverdue ? this.#afterTurn(told(result)) : told(result);
    this.#done = this.#inFlight.begin();
    const goOn = (): void => void this.#work();
    result.then(goOn, goOn);
    return result.then(told);
  }

  #afterTurn<T>(value: T): Promise<T> {
    return new Promise((resolve) => {
      this.#env.nextTick(() => resolve(value));
    });
  }

  #wait<T>(batch: Batch, bytes: number, told: Told): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ batch, bytes, told, resolve, reject });
      if (this.#done !== undefined) return;
      this.#done = this.#inFlight.begin();
      this.#env.nextTick(() => void this.#work());
    }) as Promise<T>;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      this.#lone.sawGroup(group.length);
      const results = await this.#commit(group.map(({ batch }) => batch));
      group.forEach((waiting, at) => settle(waiting, results[at] as PromiseSettledResult<BatchResult>));
    }
    this.#done?.();
    this.#done = undefined;
  }

  /** The first batch of each run, up to the size; in run order, so that two processes never wait for each other. */
  #takeGroup(): readonly Waiting[] {
    if (isGroup(this.#waiting)) {
      const all = this.#waiting;
      this.#waiting = [];
      return all;
    }
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    // Also of those that did not fit: what comes after them must not overtake them.
    const seen = new Set<string>();
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
    return group.toSorted((a, b) => (a.batch.runId < b.batch.runId ? -1 : 1));
  }
}

/** Whether all of them can go as they are. Runs that are busy come in their order: they were told of their last commits in it. */
function isGroup(waiting: readonly Waiting[]): boolean {
  let bytes = 0;
  let before = '';
  for (const { batch, bytes: more } of waiting) {
    if (batch.runId <= before) return false;
    before = batch.runId;
    bytes += more;
  }
  return bytes <= maxGroupBytes;
}

function settle({ told, resolve, reject }: Waiting, result: PromiseSettledResult<BatchResult>): void {
  if (result.status === 'fulfilled') resolve(told(result.value));
  else reject(result.reason);
}
