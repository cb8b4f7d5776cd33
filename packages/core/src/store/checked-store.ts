import { abortable } from '../async/abortable.ts';
import type { Env } from '../env/env.ts';
import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry } from '../record/record.ts';
import { formatCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import { sortableIds } from '../value/sortable-id.ts';
import { type Commit, checkCommit } from './check-commit.ts';
import { checkRecordQuery, checkRunsQuery, checkSnapshotQuery } from './check-query.ts';
import { checkClaim, checkTrim, type Trim } from './check-request.ts';
import { CommitQueue } from './commit-queue.ts';
import type {
  Batch,
  BatchResult,
  Capabilities,
  ClaimRequest,
  ClaimResult,
  RecordQuery,
  Refusal,
  RunHeader,
  RunsQuery,
  SnapshotQuery,
  StoreDriver,
  TrimResult,
} from './contract.ts';
import { openRecord, openSnapshot, type Snapshot, sealRecord, sealSnapshot } from './seal.ts';
import { faultOf, reason, storeFault } from './store-fault.ts';
import { sureCommit, sureCommitOne } from './sure-commit.ts';
import { UnderWay } from './under-way.ts';

/** What became of a commit: durable, with the new head and the bytes of its records, or refused with what was found. */
export type CommitOutcome =
  | { readonly ok: true; readonly head: number; readonly bytes: number }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

/** Stops waiting for an answer; what was asked of the driver goes on. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * What every store has in common, written once above its driver: checks, encoding, checksums, abort, group commit,
 * the open, closed and poisoned states, and errors with codes.
 */
export class CheckedStore {
  readonly capabilities: Capabilities;
  readonly #driver: StoreDriver;
  readonly #env: Env;
  readonly #newToken: () => string;
  readonly #queue: CommitQueue;
  readonly #underWay = new UnderWay();
  readonly #onPoison = (cause: unknown): void => this.#poison(cause);
  #poisoned: HoldfastError | undefined;
  #closing: Promise<void> | undefined;

  constructor(driver: StoreDriver, env: Env) {
    this.capabilities = driver.capabilities;
    this.#driver = driver;
    this.#env = env;
    this.#newToken = sortableIds({ now: () => env.clock.now(), random: env.random });
    this.#queue = new CommitQueue({ commit: (batches) => this.#commitGroup(batches), nextTurn: env.nextTurn });
  }

  /** Resolves when the commit is durable or refused. @throws HOLDFAST_IN_DOUBT when neither can be found out */
  async commit(commit: Commit): Promise<CommitOutcome> {
    this.#checkUsable();
    checkCommit(commit);
    const batch = this.#seal(commit);
    const bytes = batch.records.reduce((sum, { text }) => sum + text.length, 0);
    const result = await (this.capabilities.groups
      ? this.#underWay.count(() => this.#queue.add(batch, bytes + (batch.snapshot?.body?.text.length ?? 0)))
      : this.#commitAlone(batch));
    return result.ok ? { ok: true, head: commit.expect + commit.entries.length, bytes } : result;
  }

  /** The run's header; undefined when there is no such run, or it was deleted. */
  async header(run: string, options: ReadOptions = {}): Promise<RunHeader | undefined> {
    const [found] = await this.runs({ run: checkRunId(run), order: 'oldest', limit: 1 }, options);
    return found?.hidden ? undefined : found;
  }

  async runs(query: RunsQuery, options: ReadOptions = {}): Promise<readonly RunHeader[]> {
    checkRunsQuery(query);
    return this.#ask(() => this.#driver.runs(query), options);
  }

  /** Records of the run itself, without a gap. @throws HOLDFAST_DAMAGED */
  async records(query: RecordQuery, options: ReadOptions = {}): Promise<readonly Entry[]> {
    checkRecordQuery(query);
    const stored = await this.#ask(() => this.#driver.records(query), options);
    const entries = stored.map((record) => openRecord(query.run, record));
    checkNoGap(query, entries);
    return entries;
  }

  /** Snapshots of the run itself, newest first; a damaged one says so. */
  async snapshots(query: SnapshotQuery, options: ReadOptions = {}): Promise<readonly Snapshot[]> {
    checkSnapshotQuery(query);
    const stored = await this.#ask(() => this.#driver.snapshots(query), options);
    return stored.map((snapshot) => openSnapshot(query.run, snapshot));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    checkClaim(request);
    return this.#ask(() => this.#driver.claim(request));
  }

  async trim(trim: Trim): Promise<TrimResult> {
    checkTrim(trim);
    const { run, floor, snapshot, ...rest } = trim;
    const sealed = snapshot && sealSnapshot({ run, seq: floor ?? 0 }, { ...snapshot, covers: floor ?? 0 });
    return this.#ask(() => this.#driver.trim({ run, floor, snapshot: sealed, ...rest }));
  }

  watch(listener: (run: string | undefined) => void): () => void {
    this.#checkUsable();
    return this.#driver.watch(listener);
  }

  /** Waits for what is under way. Closing again is the same close. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#underWay.none();
    try {
      await this.#driver.close();
    } catch (error) {
      throw HoldfastError.is(error) ? error : storeFault(faultOf(error));
    }
  }

  #seal({ run, writer, expect, entries, header = {}, snapshot }: Commit): Batch {
    const records = entries.map((entry, at) => sealRecord({ run, seq: expect + at + 1 }, entry));
    const batch: Batch = {
      run,
      token: this.#newToken(),
      expect,
      fence: writer.by === 'owner' ? writer.fence : null,
      create: 'of' in writer ? writer.of : null,
      records,
      header,
      snapshot: snapshot ? sealSnapshot({ run, seq: snapshot.seq ?? expect + entries.length }, snapshot) : null,
      release: writer.by === 'owner' && writer.release === true,
      at: this.#env.clock.now(),
    };
    if (writer.by !== 'copier') return batch;
    return { ...batch, at: writer.at, copy: { floor: writer.floor, end: writer.end } };
  }

  async #commitAlone(batch: Batch): Promise<BatchResult> {
    const done = this.#underWay.begin();
    try {
      return await sureCommitOne({ driver: this.#driver, batches: [batch], onPoison: this.#onPoison });
    } finally {
      done();
    }
  }

  async #commitGroup(batches: readonly Batch[]): Promise<readonly PromiseSettledResult<BatchResult>[]> {
    if (this.#poisoned) return batches.map(() => ({ status: 'rejected', reason: this.#poisoned }));
    return sureCommit({ driver: this.#driver, batches, onPoison: this.#onPoison });
  }

  /** Asks the driver for something that a failure leaves as it was. */
  async #ask<T>(question: () => Promise<T>, { signal }: ReadOptions = {}): Promise<T> {
    this.#checkUsable();
    signal?.throwIfAborted();
    try {
      return await abortable(this.#underWay.count(question), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const fault = faultOf(error);
      if (fault.poisoned) this.#poison(fault.cause);
      throw HoldfastError.is(error) ? error : storeFault(fault);
    }
  }

  #poison(cause: unknown): void {
    this.#poisoned ??= holdfastError(
      'HOLDFAST_STORE_POISONED',
      `The store cannot be trusted since it failed (${reason(cause)}). Close it and open it again.`,
      { cause },
    );
  }

  #checkUsable(): void {
    if (this.#closing) {
      throw holdfastError('HOLDFAST_STORE_CLOSED', 'The store is closed. Open it again to use it.');
    }
    if (this.#poisoned) throw this.#poisoned;
  }
}

/** A driver that leaves one out, or gives another run's, has lost it: better found here than in a wrong state. */
function checkNoGap({ run, order }: RecordQuery, entries: readonly Entry[]): void {
  const stride = order === 'oldest' ? 1 : -1;
  entries.forEach(({ seq }, at) => {
    const expected = (entries[0] as Entry).seq + at * stride;
    if (seq === expected) return;
    throw holdfastError('HOLDFAST_DAMAGED', `Record ${formatCursor(run, expected)} is missing from the store.`, {
      details: { where: formatCursor(run, expected), run, seq: expected },
    });
  });
}
