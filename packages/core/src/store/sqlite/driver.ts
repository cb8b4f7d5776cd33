import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { composeLoadAtOnce, type ReadsAtOnce } from '../compose-load.ts';
import type {
  Batch,
  BatchResult,
  DoubtResult,
  StoredId,
  StoredRecord,
  StoredSnapshot,
  Transaction,
} from '../contract/commit.ts';
import type { Capabilities, Hint, HintListener, StoreDriver, StoreWithin } from '../contract/driver.ts';
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
import { faultOf, storeFault } from '../store-fault.ts';
import { notItsClient } from '../store-within.ts';
import { WorkerProcesses } from '../worker-processes.ts';
import { BatchCommitter, type Committed } from './commit.ts';
import { Connection } from './connection/connection.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { releaseFreePages, releaseSomePages } from './connection/free-pages.ts';
import { failureOf } from './errors.ts';
import { deathsOf } from './lease/deaths.ts';
import { leaseClockOf } from './lease/lease-clock.ts';
import { LeaseTable } from './lease/lease-table.ts';
import { pulseOf } from './lease/pulse.ts';
import { Leases } from './lease.ts';

import { HeadCache } from './run/head-cache.ts';
import { readsOf } from './run/reads.ts';
import { tablesOf } from './run/tables.ts';
import { Trimmer } from './trim.ts';
import { Watcher } from './watch.ts';

interface SqliteDriverOptions {
  readonly database: SqliteDatabase;
  readonly env: Env;
  /** How many pages may be in the log that someone else has left. */
  readonly logPages?: number | undefined;
  /** Someone else goes on using the database: it is given back and not closed. */
  readonly giveBack?: ((how: { readonly isPoisoned: boolean }) => void) | undefined;
}

/** Trims give pages back, which moves others. */
const pagesOfTrim = 256;

/** One SQLite file, for any number of processes of a machine. */
export class SqliteDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #connection: Connection;
  readonly #env: Env;
  readonly #reads: ReadsAtOnce;
  readonly #cache = new HeadCache();
  readonly #committer: BatchCommitter;
  readonly #leases: Leases;
  readonly #trimmer: Trimmer;
  readonly #watcher: Watcher;
  readonly #close: () => void;
  /** Only on a database of the user: nobody else has tables beside ours. */
  readonly transact: StoreDriver['transact'];
  readonly within: StoreDriver['within'];

  constructor({ database, env, logPages, giveBack }: SqliteDriverOptions) {
    const connection = new Connection({ database, env, logPages });
    const tables = tablesOf(connection);
    this.#connection = connection;
    this.#env = env;
    this.#reads = readsOf(tables);
    this.#committer = new BatchCommitter(tables, this.#cache);
    const processes = new WorkerProcesses(env.machine);
    const clock = leaseClockOf(env);
    const leases = new LeaseTable(connection, clock, processes);
    this.capabilities = { reopens: true, shared: true, groupsInFlight: 1, noticesDeath: processes.own !== null };
    this.#leases = new Leases(tables, leases);
    this.#trimmer = new Trimmer(tables);
    this.#watcher = new Watcher({ env, version: pulseOf(connection, deathsOf(leases, clock)) });
    this.transact = giveBack === undefined ? undefined : (transaction) => this.#transact(database, transaction);
    this.within = giveBack === undefined ? undefined : (client) => this.#within(database, client);
    this.#close = () => (giveBack === undefined ? close(connection, database) : giveBack(connection));
  }

  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    return this.#told(await this.#commit(batches));
  }

  #told(committed: readonly Committed[]): readonly BatchResult[] {
    const results: BatchResult[] = [];
    for (const { result, known } of committed) {
      results.push(result);
      if (known !== undefined) this.#cache.set(known);
    }
    if (this.#watcher.isWatched) this.#watcher.tell(hintsOf(committed));
    return results;
  }

  async #commit(batches: readonly Batch[]): Promise<readonly Committed[]> {
    try {
      return await this.#connection.write(() => this.#committer.commitAll(batches), pagesOf(batches));
    } catch (error) {
      // Nothing was written, and the corruption may be in one run only: the others are tried alone.
      throw HoldfastError.is(error, 'HOLDFAST_CORRUPT') ? storeFault({ effect: 'none', cause: error }) : error;
    }
  }

  #within(database: SqliteDatabase, client: object): StoreWithin {
    if (client !== database) throw notItsClient('the database passed to sqliteStore');
    const inside = async <T>(work: () => T): Promise<T> => this.#connection.inside(work);
    const reads = this.#reads;
    return {
      commit: async (batches) => {
        const committed = await inside(() => this.#committer.commitAll(batches));
        void this.#tellAfter(committed);
        return committed.map(({ result }) => result);
      },
      load: (query) => inside(() => composeLoadAtOnce(reads, query)),
      records: (query) => inside(() => reads.records(query)),
      snapshots: (query) => inside(() => reads.snapshots(query)),
      ids: (query) => inside(() => reads.ids(query)),
      runs: (query) => inside(() => reads.runs(query)),
      now: () => inside(() => this.#env.clock.now()),
      isOpen: () => this.#connection.isInTransaction,
    };
  }

  /** Tells listeners once the user's transaction has ended. If it was rolled back, they look in vain. */
  async #tellAfter(committed: readonly Committed[]): Promise<void> {
    const ended = this.#connection.read(() => undefined);
    await ended.then(() => this.#watcher.tell(hintsOf(committed))).catch(() => undefined);
  }

  async #transact(database: SqliteDatabase, transaction: Transaction): Promise<BatchResult> {
    let refused: BatchResult | undefined;
    try {
      const committed = await this.#connection.write(() => {
        const done = this.#committer.commitAll([transaction.batchOf(transaction.run(database))]);
        refused = done[0]?.result;
        // Takes the work back.
        if (refused?.ok === false) throw new Error('The batch was refused.');
        return done;
      });
      return this.#told(committed)[0] as BatchResult;
    } catch (error) {
      if (refused?.ok === false) return refused;
      throw error;
    }
  }

  resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return this.#connection.write(() => this.#committer.resolveDoubt(batch, this.#env.clock.now()));
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return this.#connection.read(() => composeLoadAtOnce(this.#reads, query));
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#connection.read(() => this.#reads.records(query));
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#connection.read(() => this.#reads.snapshots(query));
  }

  ids(query: IdQuery): Promise<readonly StoredId[]> {
    return this.#connection.read(() => this.#reads.ids(query));
  }

  runs(query: RunsQuery): Promise<RunsPage> {
    return this.#connection.read(() => this.#reads.runs(query));
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.#connection.write(() => this.#leases.answer(request, this.#env.clock.now()));
  }

  async trim(plan: TrimPlan): Promise<TrimResult> {
    if (plan.dryRun === true) return this.#connection.read(() => this.#trimmer.trim(plan, this.#env.clock.now()));
    const { result, hasFreePages } = await this.#trim(plan, { givesBack: true }).catch((error: unknown) => {
      if (failureOf(faultOf(error).cause) !== 'full') throw error;
      // Moving pages takes room too: what is freed comes first.
      return this.#trim(plan, { givesBack: false });
    });
    // What is left stays for the next time: the plan has been carried out.
    if (hasFreePages) await releaseFreePages(this.#connection, this.#env).catch(() => undefined);
    return result;
  }

  #trim(
    plan: TrimPlan,
    { givesBack }: { readonly givesBack: boolean },
  ): Promise<{ readonly result: TrimResult; readonly hasFreePages: boolean }> {
    return this.#connection.write(() => {
      const result = this.#trimmer.trim(plan, this.#env.clock.now());
      return { result, hasFreePages: result.ok && givesBack && releaseSomePages(this.#connection) };
    }, pagesOfTrim);
  }

  watch(listener: HintListener): () => void {
    return this.#watcher.add(listener);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    this.#close();
  }
}

function hintsOf(committed: readonly Committed[]): readonly Hint[] {
  const hints: Hint[] = [];
  for (const { known } of committed) {
    if (known !== undefined) hints.push({ runId: known.row.run, head: known.head.seq });
  }
  return hints;
}

/** About so many pages go to the log with these: texts take what they take, heads are many on a page, and a new run is in every index. */
function pagesOf(batches: readonly Batch[]): number {
  let characters = 0;
  let created = 0;
  for (const { create, records, snapshot } of batches) {
    if (create !== null) created += 1;
    for (const { text } of records) characters += text.length;
    characters += snapshot?.body?.text.length ?? 0;
  }
  return 4 + Math.floor(batches.length / 32 + created / 4 + characters / 4_096);
}

function close(connection: Connection, database: SqliteDatabase): void {
  connection.settle();
  database.close();
}
