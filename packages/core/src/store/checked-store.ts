import { abortable } from '../async/abortable.ts';
import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import { type Bounds, defaultBounds, tooMany } from '../value/bounds.ts';
import { checkRunId } from '../value/id.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { missingKey, type ReadSecret } from '../value/secret/secret.ts';
import { type Commit, checkCommit } from './check/check-commit.ts';
import {
  checkIdQuery,
  checkLoadQuery,
  checkRecordQuery,
  checkRunsQuery,
  checkSnapshotQuery,
} from './check/check-query.ts';
import { checkClaim, checkTrim, type Trim } from './check/check-request.ts';
import type { KnownId } from './check/known-id.ts';
import { openRecord, openSnapshot, type Snapshot, sealBatch, sealSnapshot } from './commit/encode.ts';
import { CommitQueue } from './commit/queue.ts';
import { commitForSure } from './commit/resolve-doubt.ts';
import { hashOfId, openId, sealId } from './commit/seal-id.ts';
import { type TransactResult, transactForSure } from './commit/transact.ts';
import type { Batch, Refusal, Transaction } from './contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from './contract/driver.ts';
import { type ClaimRequest, type ClaimResult, loadLimit, type TakenFrom } from './contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from './contract/read.ts';
import type { TrimResult } from './contract/retention.ts';
import type { RunHeader } from './contract/run.ts';
import { InFlight } from './live/in-flight.ts';
import { LiveDriver, type Repeats } from './live/live-driver.ts';
import type { Outage } from './live/outage.ts';
import { checkNoGap, type LoadedParts, openRun } from './open-run.ts';
import { StoreClock } from './store-clock.ts';
import { driverWithin, noDatabase } from './store-within.ts';

/** The result of a commit: durable, with the new head, the bytes of its records and the epoch; or refused, with the run found. */
export type CommitOutcome =
  | { readonly ok: true; readonly head: number; readonly bytes: number; readonly epoch: number }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

/** A leased run: its header, and the rest on demand, because that may be corrupt or encrypted. */
export interface ClaimedRun {
  readonly header: RunHeader;
  /** The dead worker that leased it before. */
  readonly takenFrom: TakenFrom | undefined;
  open(): Promise<LoadedParts>;
}

/** The result of a claim. */
export interface Claim extends Omit<ClaimResult, 'claimed'> {
  readonly claimed: readonly ClaimedRun[];
}

/** Work on the user's own tables, and the commit that is made of its result. */
interface Work extends Pick<Transaction, 'run' | 'again'> {
  readonly commitOf: (result: unknown) => Commit;
}

interface CheckedStoreOptions {
  /** Encrypts and decrypts user data. */
  readonly keyring?: Keyring | undefined;
  /** Refuses what is not encrypted. */
  readonly strict?: boolean | undefined;
  /** Reopens the store after a failure that the driver cannot recover from. Without it, the user has to. */
  readonly reopen?: (() => Promise<StoreDriver>) | undefined;
  /** How long a transient fault is retried. Default: 5 seconds, the length of a lease. */
  readonly patienceMs?: number | undefined;
  /** How much callers may write. */
  readonly bounds?: Bounds | undefined;
}

const defaultPatienceMs = 5_000;
/** A store may be corrupt all over. */
const mostWarnings = 1_000;

/** Stops waiting. The driver's call continues. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Skips content whose key is missing: only its checksum is checked. Default: such content is an error. */
  readonly closedIsFine?: boolean | undefined;
}

/** How a listing of runs treats corrupt headers. */
export interface RunsOptions extends ReadOptions {
  /** Called with every corrupt header, which is left out; 'warn' warns once of each. Default: the first one is thrown. */
  readonly onCorrupt?: 'warn' | ((error: HoldfastError) => void) | undefined;
}

/** Records, and the size of their texts in bytes. */
export interface RecordPage {
  readonly entries: readonly Entry[];
  readonly bytes: number;
}

/**
 * Everything store-independent, written once above the drivers: validation, encoding, checksums, abort, group commit,
 * retries, the open, closed and poisoned states, and errors with codes.
 */
export class CheckedStore {
  readonly capabilities: Capabilities;
  readonly bounds: Bounds;
  readonly #env: Env;
  readonly #driver: LiveDriver;
  readonly #clock: StoreClock;
  /** The keys of the store. Undefined if nothing is encrypted. */
  readonly keyring: Keyring | undefined;
  readonly #strict: boolean;
  readonly #queue: CommitQueue;
  readonly #operations = new InFlight();
  readonly #newToken: () => string;
  readonly #warnedOf = new Set<string>();
  #closing: Promise<void> | undefined;

  constructor(driver: StoreDriver, env: Env, options: CheckedStoreOptions = {}) {
    const { keyring, strict = false, reopen, patienceMs = defaultPatienceMs, bounds = defaultBounds } = options;
    this.capabilities = driver.capabilities;
    this.bounds = bounds;
    this.#env = env;
    this.#driver = new LiveDriver(driver, { env, reopen, patienceMs });
    this.#clock = new StoreClock(env.clock);
    this.keyring = keyring;
    this.#strict = strict;
    this.#newToken = tokensOf(env.random);
    this.#queue = new CommitQueue({
      commit: (batches) => commitForSure({ driver: this.#driver, batches, patience: this.#driver.patience() }),
      groupsInFlight: driver.capabilities.groupsInFlight,
      env,
    });
  }

  /** The store's time. */
  get clock(): Clock {
    return this.#clock;
  }

  /** Whether the store has stopped answering for a while. */
  get outage(): Outage {
    return this.#driver.outage;
  }

  /** Resolves when the commit is durable or refused. @throws HOLDFAST_IN_DOUBT if neither can be determined, HOLDFAST_TOO_MANY, HOLDFAST_TOO_LARGE */
  async commit(commit: Commit): Promise<CommitOutcome> {
    this.#driver.checkUsable();
    const batch = this.#seal(commit);
    const bytes = bytesOf(batch);
    const done = this.#operations.begin();
    try {
      const result = await this.#queue.add(batch, bytes + (batch.snapshot?.body?.text.length ?? 0));
      if (!result.ok) return { ok: false, why: result.why, found: result.found };
      return { ok: true, head: batch.expect + batch.records.length, bytes, epoch: result.epoch };
    } finally {
      done();
    }
  }

  /** Whether the user's own tables are beside the runs, so that both can change together. */
  get transacts(): boolean {
    return this.#driver.transacts;
  }

  /**
   * Does work on the user's own tables and commits its result, together or not at all. Tries once; `again` lets it try only
   * the commit again. @throws HOLDFAST_IN_DOUBT
   */
  async transact({ run, commitOf, again }: Work): Promise<TransactResult> {
    this.#driver.checkUsable();
    const batchOf = (result: unknown): Batch => this.#seal(commitOf(result));
    const transaction = { run, batchOf, again };
    return this.#operations.count(() =>
      transactForSure({ driver: this.#driver, patience: this.#driver.patience(), transaction }),
    );
  }

  /**
   * The store inside a transaction that the user has open on this client. Nothing is retried: the user does that.
   *
   * @throws HOLDFAST_INVALID_OPTION
   */
  within(client: object): { readonly store: CheckedStore; readonly isOpen: () => boolean } {
    const inside = this.#driver.within(client);
    if (inside === undefined) throw noDatabase();
    const { keyring, bounds } = this;
    const env = { ...this.#env, clock: this.#clock };
    const store = new CheckedStore(driverWithin(inside), env, { keyring, bounds, strict: this.#strict, patienceMs: 0 });
    return { store, isOpen: () => inside.isOpen() };
  }

  #seal(commit: Commit): Batch {
    checkCommit(commit);
    this.#checkSize(commit.entries.length);
    const at = commit.at ?? this.#clock.now();
    return sealBatch(commit, { token: this.#newToken(), at, keyring: this.keyring });
  }

  #checkSize(records: number): void {
    const { batchRecords } = this.bounds;
    if (records > batchRecords) throw tooMany('batchRecords', batchRecords, `One commit has ${records} records.`);
  }

  /** The run's header. Undefined if the run does not exist or was deleted. */
  async header(runId: string, options: ReadOptions = {}): Promise<RunHeader | undefined> {
    const [found] = await this.runs({ runIds: [checkRunId(runId)], order: 'oldest', limit: 1 }, options);
    return found?.hidden ? undefined : found;
  }

  /** @throws HOLDFAST_CORRUPT unless `onCorrupt` is given */
  async runs(query: RunsQuery, { onCorrupt, ...options }: RunsOptions = {}): Promise<readonly RunHeader[]> {
    checkRunsQuery(query);
    const { headers, corrupt } = await this.#ask((driver): Promise<RunsPage> => driver.runs(query), options);
    if (onCorrupt === 'warn') for (const error of corrupt) this.warnOnce(error);
    else if (onCorrupt !== undefined) corrupt.forEach(onCorrupt);
    else if (corrupt[0] !== undefined) throw corrupt[0];
    return headers;
  }

  /** Warns of something that was left out, the first time. */
  warnOnce({ message }: HoldfastError): void {
    if (this.#warnedOf.has(message) || this.#warnedOf.size >= mostWarnings) return;
    this.#warnedOf.add(message);
    this.#env.warn(message);
  }

  /** The run, with everything needed to continue it. Undefined if it does not exist. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async load(query: LoadQuery, options: ReadOptions = {}): Promise<LoadedParts | undefined> {
    checkLoadQuery(query);
    const hashed = query.id === undefined ? query : { ...query, id: hashOfId(query.id) };
    const stored = await this.#ask((driver) => driver.load(hashed), options);
    return stored && this.#open(stored, hashed, options);
  }

  #open(stored: StoredRun, query: LoadQuery, options: ReadOptions = {}): Promise<LoadedParts> {
    const again = (before: LoadQuery['before']): Promise<StoredRun | undefined> =>
      this.#ask((driver) => driver.load({ ...query, before }), options);
    return openRun(stored, { read: this.#reader(options), again });
  }

  /** Records of the run itself, without a gap. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async records(query: RecordQuery, options: ReadOptions = {}): Promise<readonly Entry[]> {
    return (await this.page(query, options)).entries;
  }

  /** The same, with their size. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async page(query: RecordQuery, options: ReadOptions = {}): Promise<RecordPage> {
    checkRecordQuery(query);
    const stored = await this.#ask((driver) => driver.records(query), options);
    const read = this.#reader(options);
    let bytes = 0;
    const entries = stored.map((record) => {
      bytes += record.text.length;
      return openRecord(query.runId, record, read);
    });
    checkNoGap(query, entries);
    return { entries, bytes };
  }

  /** Snapshots of the run itself, newest first. Corrupt ones are marked. */
  async snapshots(query: SnapshotQuery, options: ReadOptions = {}): Promise<readonly Snapshot[]> {
    checkSnapshotQuery(query);
    const stored = await this.#ask((driver) => driver.snapshots(query), options);
    const read = this.#reader(options);
    return stored.map((snapshot) => openSnapshot(query.runId, snapshot, read));
  }

  /** Ids of the run itself, by their hashes. @throws HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
  async ids(query: IdQuery, options: ReadOptions = {}): Promise<readonly KnownId[]> {
    checkIdQuery(query);
    const hashed = query.id === undefined ? query : { ...query, id: hashOfId(query.id) };
    const stored = await this.#ask((driver) => driver.ids(hashed), options);
    // A reader that goes page by page would never end.
    if (query.after !== undefined && stored.some(({ id }) => id <= (query.after as string))) throw oldPage(query.runId);
    return stored.map((each) => openId(query.runId, each, this.#reader(options)));
  }

  /** A claim that acquires runs is not retried here after a lost answer: the runs may have been leased. */
  async claim(request: ClaimRequest): Promise<Claim> {
    checkClaim(request);
    const askedAt = this.#env.clock.now();
    const { claimed, ...rest } = await this.#ask((driver) => driver.claim(request), { repeats: repeatsOf(request) });
    this.#clock.heard(rest.now, askedAt);
    const opened = claimed.map((stored) => ({
      header: stored.header,
      takenFrom: stored.takenFrom,
      open: () => this.#open(stored, { runId: stored.header.runId, limit: loadLimit }),
    }));
    return { ...rest, claimed: opened };
  }

  /** Does one piece of a plan. If it returns `more`, call it again with the same plan. */
  async trim(trim: Trim): Promise<TrimResult> {
    checkTrim(trim);
    const { runId, floor, snapshot, ids, ...rest } = trim;
    const { covers, seq } = snapshot?.key ?? { covers: floor ?? 0, seq: floor ?? 0 };
    const sealed = snapshot && sealSnapshot({ runId, seq }, { ...snapshot, covers }, this.keyring);
    const sealedIds = ids?.map((each) => sealId(runId, each, this.keyring));
    return this.#ask((driver) => driver.trim({ runId, floor, snapshot: sealed, ids: sealedIds, ...rest }));
  }

  watch(listener: HintListener): () => void {
    return this.#driver.watch(listener);
  }

  /** Waits for the calls in flight. Closing twice is safe. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#driver.beginClose();
    await this.#operations.none();
    await this.#driver.close();
  }

  #reader({ closedIsFine = false }: ReadOptions): ReadSecret {
    const { keyring } = this;
    const all = keyring?.read ?? missingKey;
    const known: ReadSecret = (secret, place) => (keyring?.has(secret.key) === true ? all(secret, place) : undefined);
    const read = closedIsFine ? known : all;
    if (!this.#strict) return read;
    return Object.assign((...given: Parameters<ReadSecret>) => read(...given), { strict: true });
  }

  /** Calls the driver. Retries transient faults if the call is repeatable. */
  async #ask<T>(
    question: (driver: StoreDriver) => Promise<T>,
    { signal, repeats = 'always' }: ReadOptions & { readonly repeats?: Repeats } = {},
  ): Promise<T> {
    this.#driver.checkUsable();
    signal?.throwIfAborted();
    try {
      return await abortable(
        this.#operations.count(() => this.#driver.ask(question, repeats)),
        signal,
      );
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error;
    }
  }
}

/** The size of a batch's records. */
export function bytesOf({ records }: Batch): number {
  let bytes = 0;
  for (const { text } of records) bytes += text.length;
  return bytes;
}

/** What leases runs is never repeated here: the caller decides about `takeover` again for each attempt. */
function repeatsOf({ type }: ClaimRequest): Repeats {
  return type === 'due' || type === 'one' ? 'never' : 'always';
}

function oldPage(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_CONTRACT',
    `The driver returned ids of run "${runId}" that are not after the one asked for. It must return those after it.`,
    { details: { runId } },
  );
}

/**
 * Creates tokens that tell this writer's batches from those of others at the same place of the same run. They are short,
 * because every commit stores one.
 */
function tokensOf(random: () => number): () => string {
  const own = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return own + count.toString(36);
  };
}
