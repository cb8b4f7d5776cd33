import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { Batch, BatchResult, DoubtResult, Transaction } from '../contract/commit.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { CommitGroup } from './commit/commit-group.ts';
import { resolveDoubt } from './commit/resolve-doubt.ts';
import { transact } from './commit/transact.ts';
import type { Database } from './connection/database.ts';
import type { HeadCache } from './run/head-cache.ts';
import { newKey } from './run/new-key.ts';
import type { KnownRun } from './run/run-row.ts';

/** Commits batches, and settles those in doubt. */
export class Committer {
  readonly #database: Database;
  readonly #cache: HeadCache;
  readonly #env: Env;

  constructor(database: Database, cache: HeadCache, env: Env) {
    this.#database = database;
    this.#cache = cache;
    this.#env = env;
  }

  /** Commits a group. `written` is called with the runs that were written, whatever becomes of the others. */
  async commit(
    batches: readonly Batch[],
    written: (runs: readonly KnownRun[]) => void,
  ): Promise<readonly BatchResult[]> {
    const group = new CommitGroup(batches, { session: this.#database, cache: this.#cache, env: this.#env });
    try {
      return await group.commit();
    } catch (error) {
      throw groupFault(error, group.written.length > 0);
    } finally {
      written(group.written);
    }
  }

  /** Does the user's work and commits its batch, in one transaction. */
  transact(transaction: Transaction, written: (runs: readonly KnownRun[]) => void): Promise<BatchResult> {
    return transact(transaction, {
      database: this.#database,
      env: this.#env,
      written: (runs) => {
        for (const run of runs) this.#cache.set(run);
        written(runs);
      },
    });
  }

  resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return resolveDoubt(batch, { database: this.#database, newKey: (createdAt) => newKey(createdAt, this.#env) });
  }
}

/** A part of the group may have been committed: only what failed first thing had no effect. */
function groupFault(error: unknown, hasWritten: boolean): HoldfastError {
  const isCorrupt = HoldfastError.is(error, 'HOLDFAST_CORRUPT');
  const fault = isCorrupt ? { effect: 'none' as const, cause: error } : faultOf(error);
  if (!isCorrupt && !hasWritten) return error as HoldfastError;
  return storeFault(hasWritten ? { ...fault, effect: 'unknown' } : fault);
}
