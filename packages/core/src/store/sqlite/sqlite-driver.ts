import type { Awaitable } from '../../async/awaitable.ts';
import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { Batch, BatchResult, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, StoreDriver } from '../contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../contract/lease.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../contract/read.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import type { RunHeader } from '../contract/run.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { BatchCommitter, type Committed } from './commit-batch.ts';
import { Connection } from './connection.ts';
import type { SqliteDatabase } from './database.ts';
import { releaseFreePages, releaseSomePages } from './free-pages.ts';
import { HeadCache } from './head-cache.ts';
import { leaseClockOf } from './lease-clock.ts';
import { LeaseTable } from './lease-table.ts';
import { RecordReader } from './record-reader.ts';
import { RunClaimer } from './run-claimer.ts';
import { RunSelector } from './run-selector.ts';
import { RunTrimmer } from './run-trimmer.ts';
import { failureOf } from './sqlite-error.ts';
import { type Tables, tablesOf } from './tables.ts';
import { Watcher } from './watcher.ts';

interface SqliteDriverOptions {
  readonly database: SqliteDatabase;
  readonly env: Env;
  /** How many pages may be in the log that somebody else has left. */
  readonly logPages?: number | undefined;
  /** Somebody else goes on using the database: it is given back and not closed. */
  readonly giveBack?: ((how: { readonly isPoisoned: boolean }) => void) | undefined;
}

/** Trims give pages back, which moves others. */
const pagesOfTrim = 256;

/** One SQLite file, for any number of processes of a machine. */
export class SqliteDriver implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, groups: true, shared: true };
  readonly #connection: Connection;
  readonly #env: Env;
  readonly #tables: Tables;
  readonly #cache = new HeadCache();
  readonly #committer: BatchCommitter;
  readonly #reader: RecordReader;
  readonly #selector: RunSelector;
  readonly #claimer: RunClaimer;
  readonly #trimmer: RunTrimmer;
  readonly #watcher: Watcher;
  readonly #borrowed: boolean;
  readonly #close: () => void;

  constructor({ database, env, logPages, giveBack }: SqliteDriverOptions) {
    const connection = new Connection({ database, env, logPages });
    const tables = tablesOf(connection);
    const leases = new LeaseTable(connection, leaseClockOf(env));
    this.#connection = connection;
    this.#env = env;
    this.#tables = tables;
    this.#committer = new BatchCommitter(tables, this.#cache);
    this.#reader = new RecordReader(tables);
    this.#selector = new RunSelector(connection, tables);
    this.#claimer = new RunClaimer({ connection, tables, leases, now: () => env.clock.now(), warn: env.warn });
    this.#trimmer = new RunTrimmer(tables);
    this.#watcher = new Watcher({ env, version: () => connection.value('PRAGMA data_version') });
    this.#borrowed = giveBack !== undefined;
    this.#close = () => (giveBack === undefined ? close(connection, database) : giveBack(connection));
  }

  commit(batches: readonly Batch[]): Awaitable<readonly BatchResult[]> {
    let committed: Awaitable<readonly Committed[]>;
    try {
      committed = this.#commitLone(batches) ?? this.#commitGroup(batches);
    } catch (error) {
      committed = Promise.reject(error);
    }
    return committed instanceof Promise ? this.#settle(committed) : this.#tell(committed);
  }

  #commitGroup(batches: readonly Batch[]): Awaitable<readonly Committed[]> {
    return this.#connection.writeAtOnce(() => this.#committer.commitAll(batches), pagesOf(batches));
  }

  /** A database that somebody else uses as well may be in a transaction of theirs, which only a `BEGIN` would find. */
  #commitLone(batches: readonly Batch[]): readonly [Committed] | undefined {
    const [batch] = batches;
    if (batch === undefined || batches.length > 1 || this.#borrowed) return undefined;
    const committed = this.#committer.commitLone(batch);
    return committed && [committed];
  }

  async #settle(committing: Promise<readonly Committed[]>): Promise<readonly BatchResult[]> {
    try {
      return this.#tell(await committing);
    } catch (error) {
      // Nothing was written, and the corruption may be in one run only: the others are tried alone.
      throw HoldfastError.is(error, 'HOLDFAST_CORRUPT') ? storeFault({ effect: 'none', cause: error }) : error;
    }
  }

  #tell(committed: readonly Committed[]): readonly BatchResult[] {
    const results: BatchResult[] = [];
    for (const { result, known } of committed) {
      results.push(result);
      if (known !== undefined) this.#cache.set(known);
    }
    if (this.#watcher.isWatched) this.#watcher.tell(writtenRuns(committed));
    return results;
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#connection.read(() => {
      const known = this.#tables.runs.find(query.runId);
      return known === undefined ? [] : this.#reader.read(known, query);
    });
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#connection.read(() => {
      const known = this.#tables.runs.find(query.runId);
      return known === undefined ? [] : this.#tables.snapshots.read(known, query);
    });
  }

  runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    return this.#connection.read(() => this.#selector.select(query));
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.#claimer.claim(request);
  }

  async trim(plan: TrimPlan): Promise<TrimResult> {
    if (plan.dryRun === true) return this.#connection.read(() => this.#trimmer.trim(plan));
    const { result, hasMore } = await this.#trim(plan, { givesBack: true }).catch((error: unknown) => {
      if (failureOf(faultOf(error).cause) !== 'full') throw error;
      // Moving pages takes room too: what is freed comes first.
      return this.#trim(plan, { givesBack: false });
    });
    if (!result.ok) return result;
    this.#watcher.tell([plan.runId]);
    // What is left stays for the next time: the plan has been carried out.
    if (hasMore) await releaseFreePages(this.#connection, this.#env).catch(() => undefined);
    return result;
  }

  #trim(
    plan: TrimPlan,
    { givesBack }: { readonly givesBack: boolean },
  ): Promise<{ readonly result: TrimResult; readonly hasMore: boolean }> {
    return this.#connection.write(() => {
      const result = this.#trimmer.trim(plan);
      return { result, hasMore: result.ok && givesBack && releaseSomePages(this.#connection) };
    }, pagesOfTrim);
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    return this.#watcher.add(listener);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    this.#close();
  }
}

function writtenRuns(committed: readonly Committed[]): readonly string[] {
  const runs: string[] = [];
  for (const { known } of committed) if (known !== undefined) runs.push(known.row.run);
  return runs;
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
