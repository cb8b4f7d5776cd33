import type { Env } from '../../../env/env.ts';
import type { Batch, BatchResult, Refusal } from '../../contract/commit.ts';
import type { NewRun } from '../../contract/run.ts';
import { storeFault } from '../../store-fault.ts';
import { canForkFrom, refusalOf } from '../../table/batch-row.ts';
import type { Session } from '../connection/database.ts';
import { continuing, creating } from '../run/batch-rows.ts';
import { type Found, findRuns } from '../run/find-runs.ts';
import type { HeadCache } from '../run/head-cache.ts';
import { newKey } from '../run/new-key.ts';
import { headerOf, type KnownRun } from '../run/run-row.ts';
import { standsAt } from '../run/snapshots.ts';
import { createRuns, type RunWrite, writeRuns } from '../run/write-runs.ts';

/** A write that finds its run changed is planned again, this often. Each time, someone else has written. */
const mostAttempts = 50;

interface GroupOptions {
  readonly session: Session;
  readonly cache: HeadCache;
  readonly env: Pick<Env, 'random'>;
}

/** What is known of runs: read just now, or remembered and perhaps stale. */
interface Knowledge {
  readonly find: (runId: string) => Found;
  readonly isFresh: boolean;
}

/** One group of batches, each of another run. Every batch is a part of one statement, which names the `rev` it knows. */
export class CommitGroup {
  /** The runs that were written, as they are now. */
  readonly written: KnownRun[] = [];
  readonly #session: Session;
  readonly #cache: HeadCache;
  readonly #env: Pick<Env, 'random'>;
  readonly #batches: readonly Batch[];
  readonly #pending: Map<string, Batch>;
  readonly #results = new Map<string, BatchResult>();

  constructor(batches: readonly Batch[], { session, cache, env }: GroupOptions) {
    this.#session = session;
    this.#cache = cache;
    this.#env = env;
    this.#batches = batches;
    this.#pending = new Map(batches.map((batch) => [batch.runId, batch]));
  }

  /** First as the runs are remembered, which takes one round trip. Whatever does not fit is read and tried again. */
  async commit(): Promise<readonly BatchResult[]> {
    await this.#attempt({ find: (runId) => this.#remembered(runId), isFresh: false });
    for (let attempt = 0; this.#pending.size > 0; attempt += 1) {
      if (attempt === mostAttempts)
        throw storeFault({ effect: 'none', transient: true, cause: new Error('the runs keep changing') });
      const runIds = [...this.#pending.values()].flatMap(({ runId, create }) => [
        runId,
        create?.forkedAt?.runId ?? runId,
      ]);
      await this.#attempt({ find: await findRuns(this.#session, [...new Set(runIds)]), isFresh: true });
    }
    return this.#batches.map(({ runId }) => this.#results.get(runId) as BatchResult);
  }

  #remembered(runId: string): Found {
    const known = this.#cache.get(runId);
    return { known, epoch: known?.head.epoch ?? 0 };
  }

  async #attempt(knowledge: Knowledge): Promise<void> {
    const writes: RunWrite[] = [];
    const creates: RunWrite[] = [];
    for (const batch of this.#pending.values()) {
      const plan =
        batch.create === null ? continuation(batch, knowledge) : await this.#creation(batch, batch.create, knowledge);
      if (typeof plan !== 'string') (batch.create === null ? writes : creates).push(plan);
      else if (knowledge.isFresh) this.#refuse(batch, plan, knowledge.find(batch.runId));
    }
    this.#done(writes, await writeRuns(this.#session, writes));
    this.#done(creates, await createRuns(this.#session, creates));
  }

  #done(writes: readonly RunWrite[], keys: ReadonlySet<string>): void {
    for (const { after } of writes) {
      if (!keys.has(after.row.key)) continue;
      this.#pending.delete(after.row.run);
      this.#results.set(after.row.run, { ok: true });
      this.#cache.set(after);
      this.written.push(after);
    }
  }

  #refuse({ runId }: Batch, why: Refusal, { known, epoch }: Found): void {
    this.#pending.delete(runId);
    this.#results.set(runId, { ok: false, why, found: known && headerOf(known), epoch });
  }

  async #creation(batch: Batch, create: NewRun, { find, isFresh }: Knowledge): Promise<RunWrite | Refusal> {
    const { known, epoch } = find(batch.runId);
    if (isFresh && known !== undefined) return 'exists';
    const { forkedAt } = create;
    const base = forkedAt === null ? undefined : find(forkedAt.runId).known;
    if (forkedAt !== null) {
      if (base === undefined || !canForkFrom(batch, base)) return 'base';
      if (create.kind === 'journal' && !(await standsAt(this.#session, base.row, forkedAt.seq))) return 'base';
    }
    if (isFresh && batch.epoch !== epoch) return 'epoch';
    return creating(batch, create, base, newKey(create.createdAt, this.#env));
  }
}

function continuation(batch: Batch, { find }: Knowledge): RunWrite | Refusal {
  const { known } = find(batch.runId);
  const why = refusalOf(batch, known);
  return why === undefined ? continuing(batch, known as KnownRun) : why;
}
