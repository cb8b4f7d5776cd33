import { OneAtATime } from '../async/one-at-a-time.ts';
import type { FoldState } from '../delta/cell.ts';
import { weigh } from '../delta/weigh.ts';
import type { Env } from '../env/env.ts';
import { HoldfastError } from '../errors/holdfast-error.ts';
import { addStep, mayBeDue, measured, type SnapshotMeter } from '../history/snapshot-policy.ts';
import { externalKinds, type NewEntry, placeEntry } from '../record/record.ts';
import type { NewSnapshot } from '../store/check/check-commit.ts';
import { bytesOf, type CheckedStore, type CommitOutcome } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';
import type { Bounds } from '../value/bounds.ts';
import { isStorable } from '../value/codec/survey.ts';
import { type CallEntry, withCall } from './fold/call/call-entry.ts';
import { foldRecord } from './fold/fold-record.ts';
import { changesValues, standsAlone } from './fold/record-rules.ts';
import { isBoundary, runSnapshot } from './fold/run-snapshot.ts';
import type { RunState } from './fold/run-state.ts';
import { LeaseCheck, type WorkerLease } from './lease-check.ts';
import { findRun } from './load-run.ts';
import { leaseLost, maxTries, overtaken } from './lost-lease.ts';
import type { CommitOptions, OwnCommit } from './own-commit.ts';
import { changedHeader, type KnownHeader, writtenHeader } from './plan/changed-header.ts';
import { hasWork } from './plan/readiness.ts';
import { headerOf } from './plan/run-header.ts';
import { type TakeoverMark, withTakeover } from './takeover-mark.ts';

interface RunLeaseOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly worker: WorkerLease;
  /** The worker's lapses when it leased the run. */
  readonly lapses: number;
  /** As it was claimed or created. */
  readonly header: RunHeader;
  readonly state: RunState;
  readonly meter: SnapshotMeter;
  /** The run was taken over from a worker that died. */
  readonly takeover?: TakeoverMark | undefined;
}

/**
 * A run that this process leases: its state, and the only way to write to it. Commits run one after another. A commit is
 * part of `state` as soon as it begins; wait until it is durable before acting on it.
 */
export class RunLease {
  state: RunState;
  /** Called when a commit found and folded external writes. */
  onForeign: () => void = () => {};
  /** Called once, when nothing more can be written. */
  onLost: (error: HoldfastError) => void = () => {};
  readonly #store: CheckedStore;
  readonly #env: Env;
  readonly #check: LeaseCheck;
  readonly #fence: number;
  #epoch: number;
  #meter: SnapshotMeter;
  #written: KnownHeader;
  readonly #pending: CallEntry[] = [];
  readonly #order: OneAtATime = new OneAtATime();
  #flushing: Promise<void> | undefined;
  #takeover: TakeoverMark | undefined;
  #lost: HoldfastError | undefined;
  #released = false;
  #isReleasing = false;

  constructor({ store, env, worker, lapses, header, state, meter, takeover }: RunLeaseOptions) {
    this.state = state;
    this.#store = store;
    this.#env = env;
    this.#check = new LeaseCheck({ store, worker, lapses, fence: header.fence });
    this.#fence = header.fence;
    this.#epoch = header.epoch;
    this.#written = header;
    this.#meter = meter;
    this.#takeover = takeover;
  }

  /** How much may be written. */
  get bounds(): Bounds {
    return this.#store.bounds;
  }

  /** The run's fence after the claim. */
  get fence(): number {
    return this.#fence;
  }

  /** Why nothing more can be written. Undefined while the lease is valid. */
  get lost(): HoldfastError | undefined {
    return this.#lost;
  }

  /** Another worker leases the run. A lease that was given up because the store failed is still this worker's. */
  get isLeasedElsewhere(): boolean {
    return HoldfastError.is(this.#lost, 'HOLDFAST_LEASE_LOST');
  }

  /** Whether a commit or read is in flight: it will notice external writes. */
  get isBusy(): boolean {
    return this.#order.isBusy;
  }

  /** Whether others may have taken the run over by now: call `confirm` before a body begins. */
  get mayBeLost(): boolean {
    return this.#check.mayBeLost;
  }

  /** Looks whether the run is still leased here. @throws when the lease was lost */
  confirm(): Promise<void> {
    return this.#inOrder(() => this.#check.confirm(this.state.runId).catch((error) => this.#fail(error)));
  }

  #fail(error: unknown): never {
    this.giveUp(error as HoldfastError);
    throw error;
  }

  /** The run was released with its last commit. */
  get released(): boolean {
    return this.#released;
  }

  /** The run was released, or a commit in flight releases it: nothing may begin, because another worker may have it next. */
  get isEnding(): boolean {
    return this.#released || this.#isReleasing;
  }

  /** Whether the run may be due according to its header. Unknown after an external write. */
  get isMarkedDue(): boolean {
    const { wakeAt } = this.#written;
    return wakeAt === undefined || (wakeAt !== null && wakeAt <= this.#env.clock.now());
  }

  /** Stops writing, because the store could not be read. */
  giveUp(error: HoldfastError): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.onLost(error);
  }

  /** What the run waits for, and will wait for with the next commit. */
  get waits(): number {
    return this.state.waits.size + this.#pending.filter(({ kind }) => kind === 'wait').length;
  }

  /** Adds a record to the next commit. */
  add(entry: CallEntry): void {
    this.#pending.push(entry);
  }

  /** Resolves when every record that was added is durable. @throws when the lease was lost */
  async flush(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#pending.length === 0) return this.#settled();
    if (!this.isBusy) return this.commit([]);
    this.#flushing ??= this.#inOrder(() => {
      this.#flushing = undefined;
      return this.#write([], {});
    });
    return this.#flushing;
  }

  /** Resolves when every record that was added is durable, and the run surely leased here: an effect may begin. */
  async settleBefore(): Promise<void> {
    await this.flush();
    if (this.mayBeLost) await this.confirm();
  }

  /** Resolves when everything in flight is durable. */
  async #settled(): Promise<void> {
    // Its caller gets the error. A lost lease is reported here too.
    await this.#order.settled();
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Writes these records, after those that were added, in one commit. @throws when the lease was lost */
  commit(entries: readonly NewEntry[], options: CommitOptions = {}): Promise<void> {
    return this.#inOrder(() => this.#write(entries, options));
  }

  /** Whether a step's own work on the user's tables can commit with its result. */
  get transacts(): boolean {
    return this.#store.transacts;
  }

  /**
   * Does work on the user's own tables and commits it together with the record of its result, after what was added. Work
   * that did not commit was taken back, so that it may be done again.
   *
   * @throws what the work throws, and when the lease was lost
   */
  transact(run: (client: unknown) => unknown, entryOf: (result: unknown) => CallEntry): Promise<void> {
    return this.#inOrder(async () => {
      await this.#write([], {});
      await this.#transact(run, entryOf);
    });
  }

  /** Folds external writes. True if there were any. */
  async refresh(): Promise<boolean> {
    const before = this.state.head;
    await this.#inOrder(() => this.#readOn());
    return this.state.head !== before;
  }

  /** Starts at once if nothing is in flight, otherwise afterwards. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    return this.#order.run(() => {
      if (this.#lost !== undefined) throw this.#lost;
      return work();
    });
  }

  /** Commits what was added, and these records. What was added may take several commits if there is very much of it. */
  #write(more: readonly NewEntry[], options: CommitOptions): Promise<void> {
    const { batchRecords } = this.bounds;
    const cut =
      this.#pending.length + more.length <= batchRecords
        ? -1
        : this.#pending.findLastIndex(({ kind }, at) => at > 0 && at <= batchRecords && standsAlone.has(kind));
    if (cut === -1) return this.#writeBatch([...this.#pending.splice(0), ...more], options);
    return this.#writeBatch(this.#pending.splice(0, cut), {}).then(() => this.#write(more, options));
  }

  /** Commits, and retries on top of the stored records while external writers are faster. */
  async #writeBatch(entries: readonly CallEntry[], options: CommitOptions): Promise<void> {
    try {
      if (entries.length === 0) return;
      let commit = this.#prepare(entries, options);
      if (this.#wasMade(commit, await this.#store.commit(commit))) return;
      let tries = 1;
      do {
        if (tries === maxTries) throw overtaken(this.state.runId);
        tries += 1;
        await this.#reload();
        commit = this.#prepare(entries, options);
      } while (!this.#wasMade(commit, await this.#store.commit(commit)));
      if (!this.#released) this.onForeign();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #transact(run: (client: unknown) => unknown, entryOf: (result: unknown) => CallEntry): Promise<void> {
    let threw: { readonly error: unknown } | undefined;
    try {
      for (let tries = 1; tries <= maxTries; tries += 1) {
        let commit: OwnCommit | undefined;
        let isForeign = tries > 1;
        const result = await this.#store.transact({
          run,
          commitOf: (value) => {
            commit = this.#prepare([entryOf(value)], {});
            return commit;
          },
          again: async () => {
            await this.#reload();
            isForeign = true;
            return true;
          },
        });
        if (result.ok && commit !== undefined) {
          const { batch } = result;
          this.#wasMade(commit, { ok: true, head: this.state.head, bytes: bytesOf(batch), epoch: batch.epoch });
          if (isForeign) this.onForeign();
          return;
        }
        // The state may have the record that was not committed.
        await this.#reload();
        if ('error' in result) {
          threw = result;
          break;
        }
      }
      if (threw === undefined) throw overtaken(this.state.runId);
    } catch (error) {
      this.#fail(error);
    }
    throw threw.error;
  }

  /** Folds the records into the state, and returns the commit for the store. */
  #prepare(entries: readonly CallEntry[], { values, release, releaseUntil }: CommitOptions): OwnCommit {
    const { state } = this;
    const expect = state.head;
    const folded = withTakeover(this.#fold(entries, values), this.#takeover);
    const now = this.#env.clock.now();
    const next = headerOf(state, now);
    const header = changedHeader(
      this.#written,
      releaseUntil === undefined ? next : { ...next, wakeAt: releaseUntil },
      now,
    );
    const releases = releaseUntil !== undefined || (release === true && !hasWork(state, now));
    this.#isReleasing = releases;
    const writer = { by: 'owner', fence: this.#fence, release: releases } as const;
    return {
      runId: state.runId,
      writer,
      expect,
      epoch: this.#epoch,
      entries: folded,
      header,
      snapshot: this.#snapshot(entries),
      at: now,
    };
  }

  /** Whether the commit succeeded. False if an external writer was faster. */
  #wasMade({ header, writer }: OwnCommit, outcome: CommitOutcome): boolean {
    this.#isReleasing = false;
    if (outcome.ok) {
      this.#epoch = outcome.epoch;
      this.#meter = addStep(this.#meter, outcome.bytes);
      this.#written = writtenHeader(this.#written, header);
      this.#released = writer.release;
      this.#takeover = undefined;
      return true;
    }
    if (outcome.why !== 'head') throw leaseLost(this.state.runId, outcome.why);
    this.#written = outcome.found ?? {};
    return false;
  }

  /** Folds the records, and returns them as they are stored. */
  #fold(entries: readonly CallEntry[], values: FoldState | undefined): readonly NewEntry[] {
    const { state } = this;
    return entries.map((given) => {
      const entry = given.call === undefined ? given : withCall(state, given, given.call);
      const placed = placeEntry(entry, state.runId, state.head + 1);
      foldRecord(state, placed, changesValues(entry) ? values : undefined);
      return entry;
    });
  }

  #snapshot(entries: readonly NewEntry[]): NewSnapshot | undefined {
    if (!mayBeDue(this.#meter) || !isBoundary(this.state)) return undefined;
    if (!entries.some(changesValues)) return undefined;
    const snapshot = runSnapshot(this.state);
    const { due, meter } = measured(this.#meter, weigh(snapshot.body));
    this.#meter = meter;
    // A snapshot is a cache: without it, the run is read from its journal.
    return due && isStorable(snapshot.body) ? snapshot : undefined;
  }

  /** An external writer was faster: reads its records, so that the commit can be repeated on top of them. */
  async #reload(): Promise<void> {
    const { runId } = this.state;
    const found = await findRun(this.#store, runId);
    if (found === undefined || found.header.hidden) throw leaseLost(runId, 'missing');
    if (found.header.fence !== this.#fence) throw leaseLost(runId, 'fence');
    this.#epoch = found.header.epoch;
    this.#written = found.header;
    this.state = found.state;
  }

  async #readOn(): Promise<void> {
    const { state } = this;
    const page = 256;
    for (;;) {
      const query = { runId: state.runId, after: state.head, order: 'oldest', limit: page } as const;
      const entries = await this.#store.records(query);
      // Only an owner writes such records: another worker leases the run.
      if (entries.some(({ kind }) => !externalKinds.has(kind))) {
        this.#lost ??= leaseLost(state.runId, 'fence');
        throw this.#lost;
      }
      for (const entry of entries) foldRecord(state, entry);
      // An external writer has set the wake time and maybe the status, so the stored header is unknown here.
      if (entries.length > 0) this.#written = {};
      if (entries.length < page) return;
    }
  }
}
