import type { Env } from '../../env/env.ts';
import type {
  Batch,
  BatchResult,
  DoubtResult,
  StoredId,
  StoredRecord,
  StoredSnapshot,
  Transaction,
} from '../contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver, StoreWithin } from '../contract/driver.ts';
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
import { Committer } from './commit.ts';
import type { Database } from './connection/database.ts';
import { DeathWatch } from './lease/death-watch.ts';
import { Deaths } from './lease/deaths.ts';
import { Presence } from './lease/presence.ts';
import { Leases } from './lease.ts';
import { readIds, readRecords } from './read-records.ts';
import { readRuns } from './read-runs.ts';
import { HeadCache } from './run/head-cache.ts';
import { loadStoredRun } from './run/load-stored-run.ts';
import type { KnownRun } from './run/run-row.ts';
import { readSnapshots } from './run/snapshots.ts';
import { trimRun } from './trim.ts';
import { Watcher } from './watch.ts';
import { storeWithin } from './within.ts';

/** A schema of a Postgres database, for any number of processes and machines. */
export class PostgresDriver implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, shared: true, groupsInFlight: 8 };
  readonly #database: Database;
  readonly #env: Env;
  readonly #cache = new HeadCache();
  readonly #committer: Committer;
  readonly #leases: Leases;
  readonly #watcher: Watcher;
  readonly #presence: Presence;
  readonly #deathWatch: DeathWatch;

  constructor(database: Database, env: Env) {
    this.#database = database;
    this.#env = env;
    this.#committer = new Committer(database, this.#cache, env);
    this.#leases = new Leases(database, this.#cache);
    this.#presence = new Presence(database);
    this.#watcher = new Watcher(database, env, this.#presence);
    this.#deathWatch = new DeathWatch({
      deaths: new Deaths(database, { own: () => this.#presence.workers, monotonicMs: env.monotonicMs }),
      env,
      // The others may take over too.
      found: () => this.#watcher.tell([undefined]),
    });
  }

  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    return this.#committer.commit(batches, (written) => this.#tell(written));
  }

  transact(transaction: Transaction): Promise<BatchResult> {
    return this.#committer.transact(transaction, (written) => this.#tell(written));
  }

  within(client: object): StoreWithin {
    return storeWithin(this.#database, this.#env, client);
  }

  #tell(written: readonly KnownRun[]): void {
    this.#watcher.tell(
      written.map(({ row, head }) => ({
        runId: row.run,
        head: head.seq,
        notDue: row.worker !== null || row.wakeAt === null,
      })),
    );
  }

  resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return this.#committer.resolveDoubt(batch);
  }

  async load(query: LoadQuery): Promise<StoredRun | undefined> {
    const loaded = await loadStoredRun(this.#database, query);
    if (loaded !== undefined) this.#cache.set(loaded.known);
    return loaded?.stored;
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return readRecords(this.#database, query);
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return readSnapshots(this.#database, query);
  }

  ids(query: IdQuery): Promise<readonly StoredId[]> {
    return readIds(this.#database, query);
  }

  runs(query: RunsQuery): Promise<RunsPage> {
    return readRuns(this.#database, query);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const result = await this.#leases.answer(request);
    // Others may lease what was released.
    if (request.type === 'release') this.#watcher.tell([undefined]);
    // By a clock that was given, a lease is all that there is.
    if (this.#database.named && this.#database.givenTime() === null) this.#tellPresence(request);
    return result;
  }

  #tellPresence(request: ClaimRequest): void {
    if ('leaseMs' in request) this.#presence.began(request.worker);
    if (request.type === 'release' && request.runIds === undefined) this.#presence.ended(request.worker);
    if (request.type === 'due' && request.takeover) this.#deathWatch.asked();
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return trimRun(this.#database, plan, { env: this.#env });
  }

  watch(listener: HintListener): () => void {
    return this.#watcher.add(listener);
  }

  async close(): Promise<void> {
    await this.#deathWatch.close();
    await this.#watcher.close();
    await this.#database.end();
  }
}
