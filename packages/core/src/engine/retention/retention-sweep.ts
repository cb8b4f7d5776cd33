import { HoldfastError } from '../../errors/holdfast-error.ts';
import { removeUnusedRuns } from '../../journal/delete-run.ts';
import { nextTick } from '../../journal/trim-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isMalformed } from '../../store/is-corruption.ts';
import { type PruneContext, pruneRun } from './prune-run.ts';
import { concernedBy, isExpired, type Retention } from './retention-options.ts';
import { tellPruned } from './tell-pruned.ts';

/** What a sweep needs. */
export interface SweepContext extends PruneContext {
  /** Deletes a run that has ended, with its children, unless someone has written to it since. */
  readonly deleteEnded: (header: RunHeader) => Promise<void>;
}

/** Few enough that other commits do not wait for long. */
const sliceSize = 20;
/** As long as runs are deleted, one sweep continues for this many slices: a store must not grow faster than it is swept. */
const mostSlices = 50;

/** Deletes runs and prunes in the background, a few runs at a time: from the oldest to the newest, then from the oldest again. */
export class RetentionSweep {
  readonly #context: SweepContext;
  readonly #retention: Retention;
  #after: { readonly createdAt: number; readonly runId: string } | undefined;

  constructor(context: SweepContext, retention: Retention) {
    this.#context = context;
    this.#retention = retention;
  }

  async sweep(): Promise<void> {
    const status = concernedBy(this.#retention);
    if (status?.length === 0) return;
    for (let slices = 0; slices < mostSlices; slices += 1) {
      const query = { status, order: 'oldest', after: this.#after, limit: sliceSize } as const;
      const page = await this.#context.store.runs(query, { onCorrupt: 'warn' });
      const last = page.at(-1);
      const isEnd = last === undefined || page.length < sliceSize;
      this.#after = isEnd ? undefined : { createdAt: last.createdAt, runId: last.runId };
      let deleted = 0;
      for (const header of page) {
        if (await this.#sweepRun(header)) deleted += 1;
        await nextTick(this.#context.env);
      }
      if (isEnd) return removeUnusedRuns(this.#context);
      if (deleted === 0) return;
    }
  }

  /** Whether the run was to be deleted. A run that cannot be swept must not keep the sweep from the others. */
  async #sweepRun(header: RunHeader): Promise<boolean> {
    const { env, deleteEnded } = this.#context;
    const { checkpoints } = this.#retention;
    const { runId } = header;
    try {
      if (isExpired(this.#retention, header, env.clock.now()) && !(await this.#hasParent(header))) {
        await deleteEnded(header);
        return true;
      }
      if (checkpoints !== undefined)
        tellPruned(env, { runId, by: 'retention' }, await pruneRun(this.#context, header, checkpoints));
    } catch (error) {
      const concernsRun = isMalformed(error) || HoldfastError.is(error, 'HOLDFAST_CONFLICT');
      if (!concernsRun) throw error;
      env.warn(`Run "${runId}" was not pruned. ${error.message}`, { runId, error });
    }
    return false;
  }

  /** A child is deleted with its parent. If a sweep was interrupted, the parent is gone already. */
  async #hasParent({ parentId }: RunHeader): Promise<boolean> {
    return parentId !== null && (await this.#context.store.header(parentId)) !== undefined;
  }
}
