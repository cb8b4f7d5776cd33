import { abortable } from '../async/abortable.ts';
import type { Awaitable } from '../async/awaitable.ts';
import type { Env } from '../env/env.ts';
import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry, NewEntry } from '../record/record.ts';
import { formatCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import type { Keyring } from '../value/keyring.ts';
import { missingKey, type ReadSecret } from '../value/secret.ts';
import { type Commit, checkCommit } from './check/check-commit.ts';
import { checkRecordQuery, checkRunsQuery, checkSnapshotQuery } from './check/check-query.ts';
import { checkClaim, checkTrim, type Trim } from './check/check-request.ts';
import { commitTokens } from './commit/commit-token.ts';
import { openRecord, openSnapshot, type Snapshot, sealRecord, sealSnapshot } from './commit/encode.ts';
import { recordBytes, sealLate } from './commit/late-record.ts';
import { CommitQueue } from './commit/queue.ts';
import { sureCommit, sureCommitOne } from './commit/resolve-doubt.ts';
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
  StoredRecord,
  TrimResult,
} from './contract.ts';
import { InFlight } from './in-flight.ts';
import { reopenDriver } from './reopen-driver.ts';
import { faultOf, reason, storeFault } from './store-fault.ts';

/** What became of a commit: durable, with the new head and the bytes of its records, or refused with what was found. */
export type CommitOutcome =
  | { readonly ok: true; readonly head: number; readonly bytes: number }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

interface CheckedStoreOptions {
  /** Encrypts what users write, and reads it. */
  readonly keyring?: Keyring | undefined;
  /** Opens the same place again, after a failure that the driver cannot go on from. Without it, whoever opened it has to. */
  readonly reopen?: (() => Promise<StoreDriver>) | undefined;
}

/** Stops waiting for an answer; what was asked of the driver goes on. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** What no key is here for comes without its content, and its checksum is all that was looked at. Default: refused. */
  readonly closedIsFine?: boolean | undefined;
}

/** Records, and the bytes of their texts. */
export interface RecordPage {
  readonly entries: readonly Entry[];
  readonly bytes: number;
}

/**
 * What every store has in common, written once above its driver: checks, encoding, checksums, abort, group commit,
 * the open, closed and poisoned states, and errors with codes.
 */
export class CheckedStore {
  readonly capabilities: Capabilities;
  #driver: StoreDriver;
  readonly #env: Env;
  readonly #reopen: CheckedStoreOptions['reopen'];
  readonly #keyring: Keyring | undefined;
  readonly #newToken: () => string;
  readonly #queue: CommitQueue;
  readonly #inFlight = new InFlight();
  readonly #onPoison = (cause: unknown): void => this.#poison(cause);
  /** Those who watch, and how each is told to stop. */
  readonly #watching = new Map<(runId: string | undefined) => void, () => void>();
  readonly #closed = new AbortController();
  #poisoned: HoldfastError | undefined;
  #reopening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(driver: StoreDriver, env: Env, { keyring, reopen }: CheckedStoreOptions = {}) {
    this.capabilities = driver.capabilities;
    this.#driver = driver;
    this.#env = env;
    this.#keyring = keyring;
    this.#reopen = reopen;
    this.#newToken = commitTokens(env.random);
    this.#queue = new CommitQueue({
      commit: (batches) => this.#commitGroup(batches),
      commitOne: (batch) => this.#commitOne(batch),
      env,
      inFlight: this.#inFlight,
    });
  }

  /** Resolves when the commit is durable or refused. @throws HOLDFAST_IN_DOUBT when neither can be found out */
  commit(commit: Commit): Promise<CommitOutcome> {
    try {
      return Promise.resolve(this.commitAtOnce(commit));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same, without a promise where the driver has nothing to wait for; then it throws what a promise rejects with. */
  commitAtOnce(commit: Commit): Awaitable<CommitOutcome> {
    this.#checkUsable();
    checkCommit(commit);
    const batch = this.#seal(commit);
    let bytes = 0;
    for (const record of batch.records) bytes += recordBytes(record);
    const told = (result: BatchResult): CommitOutcome => outcomeOf(result, commit, bytes);
    if (this.capabilities.groups) {
      return this.#queue.add(batch, bytes + (batch.snapshot?.body?.text.length ?? 0), told);
    }
    const committing = this.#commitOne(batch);
    return committing instanceof Promise ? this.#inFlight.count(() => committing.then(told)) : told(committing);
  }

  /** The run's header; undefined when there is no such run, or it was deleted. */
  async header(runId: string, options: ReadOptions = {}): Promise<RunHeader | undefined> {
    const [found] = await this.runs({ runId: checkRunId(runId), order: 'oldest', limit: 1 }, options);
    return found?.hidden ? undefined : found;
  }

  async runs(query: RunsQuery, options: ReadOptions = {}): Promise<readonly RunHeader[]> {
    checkRunsQuery(query);
    return this.#ask(() => this.#driver.runs(query), options);
  }

  /** Records of the run itself, without a gap. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async records(query: RecordQuery, options: ReadOptions = {}): Promise<readonly Entry[]> {
    return (await this.page(query, options)).entries;
  }

  /** The same, and how large they are. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async page(query: RecordQuery, options: ReadOptions = {}): Promise<RecordPage> {
    checkRecordQuery(query);
    const stored = await this.#ask(() => this.#driver.records(query), options);
    const read = this.#reader(options);
    let bytes = 0;
    const entries = stored.map((record) => {
      bytes += record.text.length;
      return openRecord(query.runId, record, read);
    });
    checkNoGap(query, entries);
    return { entries, bytes };
  }

  /** Snapshots of the run itself, newest first; a corrupt one says so. */
  async snapshots(query: SnapshotQuery, options: ReadOptions = {}): Promise<readonly Snapshot[]> {
    checkSnapshotQuery(query);
    const stored = await this.#ask(() => this.#driver.snapshots(query), options);
    const read = this.#reader(options);
    return stored.map((snapshot) => openSnapshot(query.runId, snapshot, read));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    checkClaim(request);
    return this.#ask(() => this.#driver.claim(request));
  }

  async trim(trim: Trim): Promise<TrimResult> {
    checkTrim(trim);
    const { runId, floor, snapshot, ...rest } = trim;
    const sealed =
      snapshot && sealSnapshot({ runId, seq: floor ?? 0 }, { ...snapshot, covers: floor ?? 0 }, this.#keyring);
    return this.#ask(() => this.#driver.trim({ runId, floor, snapshot: sealed, ...rest }));
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    this.#checkUsable();
    this.#watching.set(listener, this.#driver.watch(listener));
    return () => {
      this.#watching.get(listener)?.();
      this.#watching.delete(listener);
    };
  }

  /** Waits for what is in flight. Closing again is the same close. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed.abort();
    await this.#inFlight.none();
    await this.#reopening;
    // Whoever tried to open it again has closed it.
    if (this.#reopening !== undefined) return;
    try {
      await this.#driver.close();
    } catch (error) {
      throw HoldfastError.is(error) ? error : storeFault(faultOf(error));
    }
  }

  #seal({ runId, writer, expect, entries, header = {}, snapshot, at = this.#env.clock.now() }: Commit): Batch {
    const isLate = this.capabilities.keepsGiven === true && this.#keyring === undefined;
    const sealed = (entry: NewEntry, at: number): StoredRecord => {
      const place = { runId, seq: expect + at + 1 };
      return isLate ? sealLate(place, entry) : sealRecord(place, entry, this.#keyring);
    };
    const [only] = entries;
    // A list that is made of its only item takes a quarter of the room.
    const records = only !== undefined && entries.length === 1 ? [sealed(only, 0)] : entries.map(sealed);
    const batch: Batch = {
      runId,
      token: this.#newToken(),
      expect,
      fence: writer.by === 'owner' ? writer.fence : null,
      create: 'of' in writer ? writer.of : null,
      records,
      header,
      snapshot: snapshot
        ? sealSnapshot({ runId, seq: snapshot.seq ?? expect + entries.length }, snapshot, this.#keyring)
        : null,
      release: writer.by === 'owner' && writer.release === true,
      at,
    };
    if (writer.by !== 'copier') return batch;
    return { ...batch, at: writer.at, copy: { floor: writer.floor, end: writer.end } };
  }

  #reader({ closedIsFine = false }: ReadOptions): ReadSecret {
    const keyring = this.#keyring;
    const read = keyring?.read ?? missingKey;
    if (!closedIsFine) return read;
    return (secret, place) => (keyring?.has(secret.key) === true ? read(secret, place) : undefined);
  }

  #commitOne(batch: Batch): Awaitable<BatchResult> {
    return sureCommitOne({ driver: this.#driver, batches: [batch], onPoison: this.#onPoison });
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
      return await abortable(this.#inFlight.count(question), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const fault = faultOf(error);
      if (fault.poisoned) this.#poison(fault.cause);
      throw HoldfastError.is(error) ? error : storeFault(fault);
    }
  }

  #poison(cause: unknown): void {
    if (this.#poisoned !== undefined) return;
    const way = this.#reopen === undefined ? 'Close it and open it again.' : 'It is being opened again: try later.';
    this.#poisoned = holdfastError(
      'HOLDFAST_STORE_POISONED',
      `The store cannot be trusted since it failed (${reason(cause)}). ${way}`,
      { cause },
    );
    if (this.#reopen !== undefined) this.#reopening = this.#openAgain(this.#reopen);
  }

  /** Goes on with a new driver of the same place; until then everything is refused. */
  async #openAgain(open: () => Promise<StoreDriver>): Promise<void> {
    await this.#inFlight.none();
    const { signal } = this.#closed;
    try {
      this.#driver = await reopenDriver({ driver: this.#driver, open, env: this.#env, signal });
    } catch {
      return;
    }
    for (const listener of this.#watching.keys()) this.#watching.set(listener, this.#driver.watch(listener));
    this.#poisoned = undefined;
    this.#reopening = undefined;
    // Hints were lost meanwhile.
    for (const listener of this.#watching.keys()) listener(undefined);
  }

  #checkUsable(): void {
    if (this.#closing) {
      throw holdfastError('HOLDFAST_STORE_CLOSED', 'The store is closed. Open it again to use it.');
    }
    if (this.#poisoned) throw this.#poisoned;
  }
}

function outcomeOf(result: BatchResult, { expect, entries }: Commit, bytes: number): CommitOutcome {
  return result.ok ? { ok: true, head: expect + entries.length, bytes } : result;
}

/** A driver that leaves one out, or gives another run's, has lost it: better found here than in a wrong state. */
function checkNoGap({ runId, order }: RecordQuery, entries: readonly Entry[]): void {
  const stride = order === 'oldest' ? 1 : -1;
  entries.forEach(({ seq }, at) => {
    const expected = (entries[0] as Entry).seq + at * stride;
    if (seq === expected) return;
    throw holdfastError('HOLDFAST_CORRUPT', `Record ${formatCursor(runId, expected)} is missing from the store.`, {
      details: { where: formatCursor(runId, expected), runId, seq: expected },
    });
  });
}
