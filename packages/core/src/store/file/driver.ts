import type { Awaitable } from '../../async/awaitable.ts';
import type { Batch, BatchResult, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, StoreDriver } from '../contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../contract/lease.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../contract/read.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import type { RunHeader } from '../contract/run.ts';
import { reportCorruption } from '../report-corruption.ts';
import { selectRuns } from '../select-runs.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { answerRecords, answerSnapshots, isCorrupt } from './read-records.ts';
import { answerClaim } from './lease.ts';
import { commitGroup } from './commit.ts';
import { commitLone } from './commit-lone.ts';
import { isRunFile } from './folder/names.ts';
import { removeFolder } from './folder/remove-folder.ts';
import { writeIndex } from './run/run-index.ts';
import type { RunState } from './run/run-state.ts';
import { RunTurns, type Touch } from './run/run-mutex.ts';
import type { StoreLock } from './lock/store-lock.ts';
import type { StoreParts } from './store-parts.ts';
import { trimRun } from './trim.ts';

/** How often a read begins anew when the run is trimmed under it. */
const mostTries = 5;

/** The backend that people can read: a folder a run, with lines of JSON. One process writes. */
export class FileDriver implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, groups: true, shared: false };
  readonly #parts: StoreParts;
  readonly #lock: StoreLock;
  readonly #turns = new RunTurns();
  readonly #listeners = new Set<(runId: string | undefined) => void>();
  #poison: { readonly cause: unknown } | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts, lock: StoreLock) {
    this.#parts = parts;
    this.#lock = lock;
  }

  commit(batches: readonly Batch[]): Awaitable<readonly BatchResult[]> {
    const [only] = batches;
    const lone = only !== undefined && batches.length === 1 ? this.#beginLone(only) : undefined;
    if (lone === undefined) return this.#commitInTurn(batches, () => commitGroup(this.#parts, batches));
    if (lone instanceof Promise) return this.#commitInTurn(batches, async () => [await lone]);
    if (lone.ok) this.#tell((only as Batch).runId);
    return [lone];
  }

  /** What has nobody to wait for is begun at once, and may be over at once. If it is not, it has its turn from then on. */
  #beginLone(batch: Batch): Awaitable<BatchResult> | undefined {
    const mayBegin = this.#poison === undefined && this.#closing === undefined && this.#turns.isFree(batch.runId);
    return mayBegin ? commitLone(this.#parts, batch) : undefined;
  }

  async #commitInTurn(
    batches: readonly Batch[],
    call: () => Promise<readonly BatchResult[]>,
  ): Promise<readonly BatchResult[]> {
    const results = await this.#change(touchOf(batches), call);
    batches.forEach(({ runId }, at) => {
      if (results[at]?.ok) this.#tell(runId);
    });
    return results;
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    const { env, table } = this.#parts;
    const read = (state: RunState): Promise<readonly StoredRecord[]> => {
      const run = { files: env.files, place: table.place(query.runId), state };
      return answerRecords(run, query, (id) => table.seqOf(query.runId, id, state));
    };
    return (await this.#read(query.runId, read)) ?? [];
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    const { env, table } = this.#parts;
    const read = (state: RunState): Promise<readonly StoredSnapshot[]> =>
      answerSnapshots({ files: env.files, place: table.place(query.runId), state }, query);
    return (await this.#read(query.runId, read, (found) => found.some(isCorrupt))) ?? [];
  }

  async runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    const { table } = this.#parts;
    if (query.runId === undefined) return selectRuns(table.headers(query), query);
    try {
      const tail = table.tail(query.runId);
      return tail === undefined ? [] : selectRuns([tail.header], query);
    } catch (error) {
      return reportCorruption(query, error) ?? [];
    }
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.#change(everything, () => answerClaim(this.#parts, request));
  }

  async trim(plan: TrimPlan): Promise<TrimResult> {
    const { env } = this.#parts;
    const touch = { kind: 'trim', runs: new Set([plan.runId]) } as const;
    const { result, trash } = await this.#change(touch, () => trimRun(this.#parts, plan));
    // The run is gone; what is left of its folder now goes with the next opening.
    if (trash !== undefined) await removeFolder(env.files, trash, isRunFile).catch(() => {});
    if (result.ok) this.#tell(plan.runId);
    return result;
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#turns.run(everything, () => this.#close());
    return this.#closing;
  }

  /** Drops everything as a process does that dies: nothing is written any more, and the lock stays. For tests. */
  async abandon(): Promise<void> {
    this.#listeners.clear();
    this.#poison = { cause: new Error('The driver was abandoned') };
    this.#closing = Promise.resolve();
    await this.#parts.handles.leaveAll();
  }

  async #close(): Promise<void> {
    const { env, root, table, handles } = this.#parts;
    this.#listeners.clear();
    const isWhole = this.#poison === undefined && (await handles.closeAll());
    await handles.leaveAll();
    try {
      if (isWhole && !table.hasCorruption) await writeIndex(env, root, table.tails());
    } catch (error) {
      env.warn(`The index of the store ${root} could not be written, so that it opens slower: ${String(error)}`);
    }
    await this.#lock.release();
  }

  /** One change of a run after the other; none after one that left the files in doubt. */
  async #change<T>(touch: Touch, call: () => Promise<T>): Promise<T> {
    return this.#turns.run(touch, async () => {
      if (this.#poison !== undefined) throw storeFault({ effect: 'none', poisoned: true, cause: this.#poison.cause });
      try {
        return await call();
      } catch (error) {
        const { poisoned, cause } = faultOf(error);
        if (poisoned) this.#poison = { cause };
        throw error;
      }
    });
  }

  /** Reads beside the writers. What was read of a run that has been trimmed meanwhile is read again. */
  async #read<T>(
    runId: string,
    read: (state: RunState) => Promise<T>,
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

  #tell(runId: string): void {
    for (const listener of this.#listeners) listener(runId);
  }
}

const everything: Touch = { kind: 'change', runs: undefined };

/** A fork looks at its base. */
function touchOf(batches: readonly Batch[]): Touch {
  const runs = new Set<string>();
  for (const { runId, create } of batches) {
    runs.add(runId);
    if (create?.forkedAt) runs.add(create.forkedAt.runId);
  }
  return { kind: 'change', runs };
}
