import { HoldfastError } from '../../errors/holdfast-error.ts';
import { removeUnusedRuns } from '../../journal/delete-run.ts';
import type { PrunePolicy, RunPrunePolicy } from '../../journal/prune-policy.ts';
import { nextTick } from '../../journal/trim-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { type PruneContext, pruneById, pruneRun } from './prune-run.ts';

/** Few enough that other commits do not wait for long. */
const sliceSize = 20;

/** Prunes in the background, a few runs at a time: from the oldest to the newest, then from the oldest again. */
export class RetentionSweep {
  readonly #context: PruneContext;
  readonly #policy: PrunePolicy;
  #after: { readonly createdAt: number; readonly runId: string } | undefined;

  constructor(context: PruneContext, policy: PrunePolicy) {
    this.#context = context;
    this.#policy = policy;
  }

  async slice(): Promise<void> {
    const { runId, ...policy } = this.#policy;
    if (runId !== undefined) {
      await pruneById(this.#context, runId, policy);
      return;
    }
    const query = { status: policy.status, order: 'oldest', after: this.#after, limit: sliceSize } as const;
    const page = await this.#context.store.runs(query);
    const last = page.at(-1);
    const isEnd = last === undefined || page.length < sliceSize;
    this.#after = isEnd ? undefined : { createdAt: last.createdAt, runId: last.runId };
    for (const header of page) {
      await this.#prune(header, policy);
      await nextTick(this.#context.env);
    }
    if (isEnd && policy.dryRun !== true) await removeUnusedRuns(this.#context);
  }

  /** A run that cannot be pruned must not keep the sweep from the others. */
  async #prune(header: RunHeader, policy: RunPrunePolicy): Promise<void> {
    try {
      await pruneRun(this.#context, header, policy);
    } catch (error) {
      const concernsRun = HoldfastError.is(error, 'HOLDFAST_CORRUPT') || HoldfastError.is(error, 'HOLDFAST_CONFLICT');
      if (!concernsRun) throw error;
      this.#context.env.warn(`Run "${header.runId}" was not pruned. ${error.message}`);
    }
  }
}
