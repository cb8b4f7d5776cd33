import { isDeepStrictEqual } from 'node:util';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { Commit } from '../../store/check/check-commit.ts';
import type { CheckedStore, CommitOutcome } from '../../store/checked-store.ts';
import { storeFault } from '../../store/store-fault.ts';
import type { Bench } from '../bench.ts';

const maxTries = 50;

/**
 * How a caller lives with a store that fails: what had no effect is tried again, what is in doubt is read, and a
 * poisoned store is opened anew. Where no faults are injected, every failure is passed on.
 */
export class Persistence {
  readonly #bench: Bench;
  readonly #faulty: boolean;
  #mending: Promise<void> | undefined;

  constructor(bench: Bench, faulty: boolean) {
    this.#bench = bench;
    this.#faulty = faulty;
  }

  commit(commit: Commit): Promise<CommitOutcome> {
    return this.#insist(async (store) => {
      try {
        return await store.commit(commit);
      } catch (error) {
        if (!this.#faulty || !HoldfastError.is(error, 'HOLDFAST_IN_DOUBT')) throw settled(error);
        const made = await this.#wasMade(commit);
        if (made === undefined) throw storeFault({ effect: 'none', cause: error });
        return made;
      }
    });
  }

  /** A read, or another call that fails without effect. */
  ask<T>(question: (store: CheckedStore) => Promise<T>): Promise<T> {
    return this.#insist(question);
  }

  async #insist<T>(call: (store: CheckedStore) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const { store } = this.#bench;
      try {
        return await call(store);
      } catch (error) {
        if (!this.#faulty || tries === maxTries) throw error;
        if (isPoison(error)) await this.#mend(store);
        else if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) throw error;
      }
    }
  }

  /** Opens the store anew, once for all the calls that found it poisoned. */
  async #mend(poisoned: CheckedStore): Promise<void> {
    if (this.#bench.store !== poisoned) return;
    this.#mending ??= this.#bench.reopen().finally(() => {
      this.#mending = undefined;
    });
    await this.#mending;
  }

  /** No two commits have the same payloads, so that reading tells. */
  async #wasMade({ runId, expect, entries }: Commit): Promise<CommitOutcome | undefined> {
    const records = await this.ask((store) =>
      store.records({ runId, after: expect, order: 'oldest', limit: entries.length }),
    );
    const payloads = records.map(({ payload }) => payload);
    const isThere = isDeepStrictEqual(
      payloads,
      entries.map(({ payload }) => payload),
    );
    return isThere ? { ok: true, head: expect + entries.length, bytes: 0, epoch: 0 } : undefined;
  }
}

function isPoison(error: unknown): boolean {
  if (HoldfastError.is(error, 'HOLDFAST_STORE_POISONED') || HoldfastError.is(error, 'HOLDFAST_STORE_CLOSED'))
    return true;
  return HoldfastError.is(error, 'HOLDFAST_STORE_FAILED') && error.details['poisoned'] === true;
}

/** A commit that failed and is not in doubt had no effect; a store that says otherwise has not done its duty. */
function settled(error: unknown): unknown {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED') || error.details['effect'] === 'none') return error;
  return new Error('A commit failed, and nobody knows whether it was made.', { cause: error });
}
