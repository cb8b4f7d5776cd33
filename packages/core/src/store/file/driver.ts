import { composeLoad } from '../compose-load.ts';
import type { Batch, BatchResult, DoubtResult, StoredId, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from '../contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../contract/lease.ts';
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
import { selectIdsOf } from '../select-ids.ts';
import { commitGroup, resolveDoubt } from './commit.ts';
import { answerClaim } from './lease.ts';
import type { StoreLock } from './lock/store-lock.ts';
import { isCorrupt, readRecords, readSnapshots } from './read-records.ts';
import { readRuns } from './read-runs.ts';
import type { FileRunState } from './run/file-run-state.ts';
import { writeIndex } from './run/run-index.ts';
import type { StoreParts } from './store-parts.ts';
import { trimRun } from './trim.ts';
import { Watchers } from './watch.ts';

/** How often a read starts over when the run is trimmed meanwhile. */
const mostTries = 5;

/** The backend that people can read: one folder per run, with lines of JSON. One process writes. */
export class FileDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #parts: StoreParts;
  readonly #lock: StoreLock;
  readonly #watchers = new Watchers();
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts, lock: StoreLock) {
    const { noticesDeath } = parts.leases;
    this.capabilities = { reopens: true, shared: false, groupsInFlight: 1, noticesDeath };
    this.#parts = parts;
    this.#lock = lock;
  }

  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    const results = await commitGroup(this.#parts, batches);
    batches.forEach(({ runId, expect, records }, at) => {
      if (results[at]?.ok) this.#watchers.tell(runId, expect + records.length);
    });
    return results;
  }

  resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return resolveDoubt(this.#parts, batch);
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return composeLoad(this, query);
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    const { env, table } = this.#parts;
    const read = (state: FileRunState): Promise<readonly StoredRecord[]> => {
      const run = { files: env.files, place: table.place(query.runId), state };
      return readRecords(run, query);
    };
    return (await this.#read(query.runId, read)) ?? [];
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    const { env, table } = this.#parts;
    const read = (state: FileRunState): Promise<readonly StoredSnapshot[]> =>
      readSnapshots({ files: env.files, place: table.place(query.runId), state }, query);
    return (await this.#read(query.runId, read, (found) => found.some(isCorrupt))) ?? [];
  }

  async ids(query: IdQuery): Promise<readonly StoredId[]> {
    const { table } = this.#parts;
    const read = async (state: FileRunState): Promise<readonly StoredId[]> =>
      selectIdsOf(await table.ids(query.runId, state), query);
    return (await this.#read(query.runId, read)) ?? [];
  }

  async runs(query: RunsQuery): Promise<RunsPage> {
    return readRuns(this.#parts.table, query);
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return answerClaim({ ...this.#parts, load: (query) => this.load(query) }, request);
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return trimRun(this.#parts, plan);
  }

  watch(listener: HintListener): () => void {
    return this.#watchers.add(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Drops everything, as a process does that dies: nothing more is written, and the lock stays. For tests. */
  async abandon(): Promise<void> {
    this.#watchers.clear();
    this.#parts.mutex.poison(new Error('The driver was abandoned'));
    this.#closing = Promise.resolve();
    await this.#parts.handles.dropAll();
  }

  async #close(): Promise<void> {
    const { env, root, table, handles, mutex } = this.#parts;
    this.#watchers.clear();
    await mutex.idle();
    const isWhole = !mutex.isPoisoned && (await handles.closeAll());
    await handles.dropAll();
    try {
      if (isWhole && table.corruption().length === 0) await writeIndex(env, root, table.tails());
    } catch (error) {
      env.warn(`The index of the store ${root} could not be written, so the next open is slower: ${String(error)}`);
    }
    await this.#lock.release();
  }

  /** Reads beside the writers. If the run was trimmed meanwhile, it is read again. */
  async #read<T>(
    runId: string,
    read: (state: FileRunState) => Promise<T>,
    isOdd: (found: T) => boolean = () => false,
  ): Promise<T | undefined> {
    const { table } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      const state = await table.state(runId);
      if (state === undefined) return undefined;
      const isSame = async (): Promise<boolean> => tries === mostTries || (await table.state(runId)) === state;
      try {
        const found = await read(state);
        if (!isOdd(found) || (await isSame())) return found;
      } catch (error) {
        if (await isSame()) throw error;
      }
    }
  }
}
