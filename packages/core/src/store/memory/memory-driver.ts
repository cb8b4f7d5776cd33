import type { Awaitable } from '../../async/awaitable.ts';
import type { Env } from '../../env/env.ts';
import type {
  Batch,
  BatchResult,
  Capabilities,
  ClaimRequest,
  ClaimResult,
  NewRun,
  RecordQuery,
  Refusal,
  RunHeader,
  RunsQuery,
  SnapshotQuery,
  StoreDriver,
  StoredRecord,
  StoredSnapshot,
  TrimPlan,
  TrimResult,
} from '../contract.ts';
import { selectRuns } from '../select-runs.ts';
import { compareSnapshots } from '../snapshot-order.ts';
import { answerClaim } from './memory-claim.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { MemoryRun } from './memory-run.ts';
import { carryOut } from './memory-trim.ts';

/** How long the driver may hold the event loop when commits come without a pause. */
const yieldAfterMs = 10;

/** The reference backend: everything in maps, on a disk that outlives it. */
export class MemoryDriver implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, groups: false, shared: true, keepsGiven: true };
  readonly #disk: MemoryDisk;
  readonly #env: Env;
  readonly #listeners = new Set<(runId: string | undefined) => void>();
  #yieldedAt: number;

  constructor(disk: MemoryDisk, env: Env) {
    this.#disk = disk;
    this.#env = env;
    this.#yieldedAt = env.monotonicMs();
  }

  commit(batches: readonly Batch[]): Awaitable<readonly BatchResult[]> {
    const results = batches.map((batch) => this.#commitOne(batch));
    return this.#env.monotonicMs() - this.#yieldedAt < yieldAfterMs ? results : this.#nextTick(results);
  }

  /** Lets others have their turn first. */
  async #nextTick<T>(value: T): Promise<T> {
    await new Promise<void>((resolve) => this.#env.nextTick(resolve));
    this.#yieldedAt = this.#env.monotonicMs();
    return value;
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    const run = this.#disk.runs.get(query.runId);
    if (run === undefined) return [];
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query;
    if (query.id !== undefined) {
      const found = run.recordById(query.id);
      return found !== undefined && found.seq > after && found.seq < before ? [found] : [];
    }
    const from = Math.max(0, after + 1 - run.firstSeq);
    const to = Math.min(run.records.length, Math.max(0, before - run.firstSeq));
    if (query.order === 'oldest') return run.records.slice(from, Math.min(to, from + limit));
    return run.records.slice(Math.max(from, to - limit), to).toReversed();
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    const { covers = Number.MAX_SAFE_INTEGER, before, limit, bodies } = query;
    const found: StoredSnapshot[] = [];
    const all = this.#disk.runs.get(query.runId)?.snapshots ?? [];
    for (let at = all.length - 1; at >= 0 && found.length < limit; at -= 1) {
      const snapshot = all[at] as StoredSnapshot;
      if (snapshot.covers > covers || (before && compareSnapshots(snapshot, before) >= 0)) continue;
      found.push(bodies ? snapshot : { ...snapshot, body: undefined });
    }
    return found;
  }

  async runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    const { runs } = this.#disk;
    const asked = query.runId === undefined ? [...runs.values()] : [runs.get(query.runId)];
    return selectRuns(
      asked.flatMap((run) => (run === undefined ? [] : [run.header()])),
      query,
    );
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    return answerClaim({ disk: this.#disk, request, now: this.#env.clock.now() });
  }

  async trim(plan: TrimPlan): Promise<TrimResult> {
    const result = carryOut(this.#disk, plan);
    if (result.ok) this.#disk.tell(plan.runId);
    return result;
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    this.#disk.listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.#disk.listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) this.#disk.listeners.delete(listener);
  }

  #commitOne(batch: Batch): BatchResult {
    const known = this.#disk.runs.get(batch.runId);
    const why = this.#refusal(batch, known);
    if (why !== undefined) return { ok: false, why, found: known?.header() };
    const run =
      batch.create === null ? (known as MemoryRun) : new MemoryRun(batch.runId, batch.create, batch.copy?.floor);
    if (batch.create !== null) this.#disk.runs.set(batch.runId, run);
    run.take(batch);
    this.#disk.tell(batch.runId);
    return { ok: true };
  }

  #refusal(batch: Batch, known: MemoryRun | undefined): Refusal | undefined {
    if (batch.create !== null) {
      if (known !== undefined) return 'exists';
      return this.#canStandOn(batch.create, batch.copy !== undefined) ? undefined : 'base';
    }
    if (known === undefined || !isWritable(known, batch)) return 'missing';
    if (batch.fence !== null && batch.fence !== known.fence) return 'fence';
    return batch.expect === known.head ? undefined : 'head';
  }

  #canStandOn({ forkedAt, kind }: NewRun, isCopy: boolean): boolean {
    if (forkedAt === null) return true;
    const run = this.#disk.runs.get(forkedAt.runId);
    if (run === undefined || (run.hidden && !isCopy)) return false;
    if (forkedAt.seq < run.firstSeq - 1 || forkedAt.seq > run.lastSeq || forkedAt.seq <= (run.forkedAt?.seq ?? 0))
      return false;
    return kind === 'graph' || run.snapshots.some((snapshot) => snapshot.seq === forkedAt.seq);
  }
}

/** Parts of a copy go on with what is hidden and whole; everybody else with what is seen. */
function isWritable(run: MemoryRun, { copy }: Batch): boolean {
  return copy === undefined ? !run.hidden : run.hidden && run.lastSeq === run.head;
}
