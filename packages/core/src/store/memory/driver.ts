import type { Env } from '../../env/env.ts';
import { composeLoad } from '../compose-load.ts';
import type { Batch, BatchResult, DoubtResult, StoredId, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from '../contract/driver.ts';
import { type ClaimRequest, type ClaimResult, type LeasedRun, loadLimit } from '../contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from '../contract/read.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { WorkerProcesses } from '../worker-processes.ts';
import { commitBatch, resolveDoubt } from './commit.ts';
import { answerClaim } from './lease.ts';
import type { MemoryPlace } from './memory-place.ts';
import { readIds, readRecords, readSnapshots } from './read-records.ts';
import { readRuns } from './read-runs.ts';
import { trimRun } from './trim.ts';

/** The reference backend. Its data lives in maps that outlive the driver. */
export class MemoryDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #place: MemoryPlace;
  readonly #env: Env;
  readonly #processes: WorkerProcesses;
  readonly #listeners = new Set<HintListener>();

  constructor(place: MemoryPlace, env: Env) {
    this.#place = place;
    this.#env = env;
    this.#processes = new WorkerProcesses(env.machine);
    const noticesDeath = this.#processes.own !== null;
    this.capabilities = { reopens: true, shared: true, groupsInFlight: 1, noticesDeath };
  }

  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    return batches.map((batch) => commitBatch(this.#place, batch));
  }

  async resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return resolveDoubt(this.#place, batch, this.#env.clock.now());
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return composeLoad(this, query);
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return readRecords(this.#place, query);
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return readSnapshots(this.#place, query);
  }

  async ids(query: IdQuery): Promise<readonly StoredId[]> {
    return readIds(this.#place, query);
  }

  async runs(query: RunsQuery): Promise<RunsPage> {
    return readRuns(this.#place, query);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const now = this.#env.clock.now();
    const { claimed, ...rest } = answerClaim({ place: this.#place, processes: this.#processes, now }, request);
    const loads = claimed.map(async ({ runId, takenFrom }): Promise<readonly LeasedRun[]> => {
      const run = await this.load({ runId, limit: loadLimit });
      return run === undefined ? [] : [takenFrom === undefined ? run : { ...run, takenFrom }];
    });
    return { ...rest, claimed: (await Promise.all(loads)).flat(), corrupt: [], now };
  }

  async trim(plan: TrimPlan): Promise<TrimResult> {
    return trimRun(this.#place, plan, this.#env.clock.now());
  }

  watch(listener: HintListener): () => void {
    this.#listeners.add(listener);
    this.#place.listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.#place.listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) this.#place.listeners.delete(listener);
  }
}
