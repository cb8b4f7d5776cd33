import type { Awaitable } from '../async/awaitable.ts';
import type { FoldState } from '../delta/cell.ts';
import { weigh } from '../delta/weigh.ts';
import type { Env } from '../env/env.ts';
import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { addStep, mayBeDue, measured, type SnapshotMeter } from '../history/snapshot-policy.ts';
import { externalKinds, type NewEntry, placeEntry } from '../record/record.ts';
import type { Commit, NewSnapshot } from '../store/check/check-commit.ts';
import type { CheckedStore, CommitOutcome } from '../store/checked-store.ts';
import type { HeaderState, RunHeader } from '../store/contract/run.ts';
import { foldRecord } from './fold/fold-record.ts';
import { findRun } from './fold/load-run.ts';
import { isBoundary, runSnapshot } from './fold/run-snapshot.ts';
import type { RunState } from './fold/run-state.ts';
import { changedHeader, type KnownHeader, writtenHeader } from './plan/changed-header.ts';
import { hasWork } from './plan/readiness.ts';
import { headerOf } from './plan/run-header.ts';

interface OwnedRunOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  /** As it was claimed or created. */
  readonly header: RunHeader;
  readonly state: RunState;
  readonly meter: SnapshotMeter;
}

interface CommitOptions {
  /** The state of the channels after the record that changes them, where it is known. */
  readonly values?: FoldState | undefined;
  /** Releases the run if there is nothing to do in it. */
  readonly release?: boolean | undefined;
  /** Releases the run in any case; nobody is to lease it before this. */
  readonly releaseUntil?: number | undefined;
}

/** A commit of this process, who holds the run. */
interface OwnCommit extends Commit {
  readonly writer: { readonly by: 'owner'; readonly fence: number; readonly release: boolean };
  readonly header: Partial<HeaderState>;
}

/** A commit that was asked for, and how. */
interface Attempt {
  readonly commit: OwnCommit;
  readonly outcome: Awaitable<CommitOutcome>;
  readonly options: CommitOptions;
}

/**
 * A run that this process holds the lease of: what is known of it, and the one way to write to it. Commits go one after
 * another. Between being asked for and being durable a commit is already part of `state`; whoever acts on it waits first.
 */
export class RunLease {
  state: RunState;
  /** Called when a commit has met what somebody else wrote and has taken it in. */
  onForeign: () => void = () => {};
  readonly #store: CheckedStore;
  readonly #env: Env;
  readonly #fence: number;
  #epoch: number;
  #meter: SnapshotMeter;
  #written: KnownHeader;
  #pending: NewEntry[] = [];
  #tail: Promise<void> = Promise.resolve();
  #flushing: Awaitable<void> | undefined;
  #lost: HoldfastError | undefined;
  #released = false;
  #inFlight = 0;

  constructor({ store, env, header, state, meter }: OwnedRunOptions) {
    this.state = state;
    this.#store = store;
    this.#env = env;
    this.#fence = header.fence;
    this.#epoch = header.epoch;
    this.#written = header;
    this.#meter = meter;
  }

  /** What the claim raised the run's fence to. */
  get fence(): number {
    return this.#fence;
  }

  /** Why nothing more can be written; undefined while all is well. */
  get lost(): HoldfastError | undefined {
    return this.#lost;
  }

  /** Another worker leases the run. Otherwise a run that was lost, because the store failed, is still this one's. */
  get isLeasedElsewhere(): boolean {
    return HoldfastError.is(this.#lost, 'HOLDFAST_LEASE_LOST');
  }

  /** A commit is in flight: should somebody else have written, it will find out. */
  get isBusy(): boolean {
    return this.#inFlight > 0;
  }

  /** The run was released with its last commit. */
  get released(): boolean {
    return this.#released;
  }

  /** Whether the header may have the run taken up again at once; after an external writer has written it is not known. */
  get isCalledDue(): boolean {
    const { wakeAt } = this.#written;
    return wakeAt === undefined || (wakeAt !== null && wakeAt <= this.#env.clock.now());
  }

  /** Writes nothing more: what has to be known of the store could not be read. */
  giveUp(error: HoldfastError): void {
    this.#lost ??= error;
  }

  /** Puts a record aside for the next commit. */
  add(entry: NewEntry): void {
    this.#pending.push(entry);
  }

  /** Resolves when all that was put aside is durable. @throws when the run was lost */
  async flush(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#pending.length === 0) return this.#settled();
    if (this.#inFlight === 0) return this.#next(() => this.#write({}));
    this.#flushing ??= this.#next(() => {
      this.#flushing = undefined;
      return this.#write({});
    });
    return this.#flushing;
  }

  /** Resolves when what is in flight is durable. */
  async #settled(): Promise<void> {
    // How it ended is told to whoever asked for it; that the run was lost is told here too.
    await this.#tail.catch(() => undefined);
    if (this.#lost !== undefined) throw this.#lost;
  }

  /**
   * Writes these records, after those put aside, in one commit; done already when no promise is given. Rejects when the
   * run was lost, and never throws.
   */
  commit(entries: readonly NewEntry[], options: CommitOptions = {}): Awaitable<void> {
    if (!this.#isFree) return this.#inTurn(() => this.#write(options, entries));
    return this.#begun(this.#write(options, entries));
  }

  /** Takes in what external writers have written; true when there was something. */
  async refresh(): Promise<boolean> {
    const before = this.state.head;
    await this.#next(() => this.#counted(this.#readOn()));
    return this.state.head !== before;
  }

  /** Most commits come alone: they begin at once. The others wait for their turn. */
  get #isFree(): boolean {
    return this.#inFlight === 0 && this.#lost === undefined;
  }

  #next(work: () => Awaitable<void>): Awaitable<void> {
    return this.#isFree ? this.#begun(work()) : this.#inTurn(work);
  }

  #begun(doing: Awaitable<void>): Awaitable<void> {
    if (doing instanceof Promise) this.#tail = doing;
    return doing;
  }

  #inTurn(work: () => Awaitable<void>): Promise<void> {
    const mine = async (): Promise<void> => {
      if (this.#lost !== undefined) throw this.#lost;
      await work();
    };
    this.#tail = this.#counted(this.#inFlight === 0 ? mine() : this.#tail.then(mine, mine));
    return this.#tail;
  }

  async #counted(doing: Promise<void>): Promise<void> {
    this.#inFlight += 1;
    try {
      await doing;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #write(options: CommitOptions, more: readonly NewEntry[] = none): Awaitable<void> {
    const entries = this.#takePending(more);
    if (entries.length === 0) return undefined;
    if (entries.some(isNote)) return this.#counted(this.#writeNotes(entries, options));
    try {
      const commit = this.#prepare(entries, options);
      return this.#insist({ commit, outcome: this.#store.commit(commit), options });
    } catch (error) {
      this.#lost ??= error as HoldfastError;
      return Promise.reject(error);
    }
  }

  #takePending(more: readonly NewEntry[]): readonly NewEntry[] {
    const pending = this.#pending;
    if (pending.length === 0) return more;
    this.#pending = [];
    return more.length === 0 ? pending : [...pending, ...more];
  }

  async #writeNotes(given: readonly NewEntry[], options: CommitOptions): Promise<void> {
    try {
      const entries = await this.#withoutKnownNotes(given);
      if (entries.length === 0) return;
      const commit = this.#prepare(entries, options);
      await this.#insist({ commit, outcome: this.#store.commit(commit), options });
    } catch (error) {
      this.#lost ??= error as HoldfastError;
      throw error;
    }
  }

  /** Commits again, upon what the store has, as long as somebody else is faster. */
  async #insist(attempt: Attempt): Promise<void> {
    let { commit, outcome } = attempt;
    this.#inFlight += 1;
    try {
      if (this.#wasMade(commit, await outcome)) return;
      let tries = 1;
      do {
        if (tries === maxTries) throw overtaken(this.state.runId);
        tries += 1;
        await this.#reload();
        commit = this.#prepare(commit.entries, attempt.options);
        outcome = this.#store.commit(commit);
      } while (!this.#wasMade(commit, await outcome));
      if (!this.#released) this.onForeign();
    } catch (error) {
      this.#lost ??= error as HoldfastError;
      throw error;
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** A note's id is its own in the whole run: the same again, in a later step, is the same note. */
  async #withoutKnownNotes(entries: readonly NewEntry[]): Promise<readonly NewEntry[]> {
    const known = new Set<NewEntry>();
    for (const entry of entries.filter(isNote)) {
      const query = { runId: this.state.runId, id: entry.id, order: 'oldest', limit: 1 } as const;
      if ((await this.#store.records(query)).length > 0) known.add(entry);
    }
    return entries.filter((entry) => !known.has(entry));
  }

  /** Takes the records into the state; what there is to ask of the store, then. */
  #prepare(entries: readonly NewEntry[], { values, release, releaseUntil }: CommitOptions): OwnCommit {
    const { state } = this;
    const expect = state.head;
    this.#fold(entries, values);
    const now = this.#env.clock.now();
    const next = headerOf(state, now);
    const header = changedHeader(
      this.#written,
      releaseUntil === undefined ? next : { ...next, wakeAt: releaseUntil },
      now,
    );
    const releases = releaseUntil !== undefined || (release === true && !hasWork(state, now));
    const writer = { by: 'owner', fence: this.#fence, release: releases } as const;
    return {
      runId: state.runId,
      writer,
      expect,
      epoch: this.#epoch,
      entries,
      header,
      snapshot: this.#snapshot(entries),
      at: now,
    };
  }

  /** Whether the commit was made; not when an external writer was faster. */
  #wasMade({ header, writer }: OwnCommit, outcome: CommitOutcome): boolean {
    if (outcome.ok) {
      this.#epoch = outcome.epoch;
      this.#meter = addStep(this.#meter, outcome.bytes);
      this.#written = writtenHeader(this.#written, header);
      this.#released = writer.release;
      return true;
    }
    if (outcome.why !== 'head') throw lostRun(this.state.runId, outcome.why);
    this.#written = outcome.found ?? {};
    return false;
  }

  #fold(entries: readonly NewEntry[], values: FoldState | undefined): void {
    const { state } = this;
    for (const entry of entries) {
      const placed = placeEntry(entry, state.runId, state.head + 1);
      foldRecord(state, placed, changesValues(entry) ? values : undefined);
    }
  }

  #snapshot(entries: readonly NewEntry[]): NewSnapshot | undefined {
    if (!mayBeDue(this.#meter) || !isBoundary(this.state)) return undefined;
    if (!entries.some(changesValues)) return undefined;
    const snapshot = runSnapshot(this.state);
    const { due, meter } = measured(this.#meter, weigh(snapshot.body));
    this.#meter = meter;
    return due ? snapshot : undefined;
  }

  /** Somebody wrote in between: what is in the store is the truth, and the commit is tried again upon it. */
  async #reload(): Promise<void> {
    const { runId } = this.state;
    const found = await findRun(this.#store, runId);
    if (found === undefined || found.header.hidden) throw lostRun(runId, 'missing');
    if (found.header.fence !== this.#fence) throw lostRun(runId, 'fence');
    this.state = found.state;
  }

  async #readOn(): Promise<void> {
    const { state } = this;
    const page = 256;
    for (;;) {
      const query = { runId: state.runId, after: state.head, order: 'oldest', limit: page } as const;
      const entries = await this.#store.records(query);
      // What only an owner writes was written by the next one.
      if (entries.some(({ kind }) => !externalKinds.has(kind))) {
        this.#lost ??= lostRun(state.runId, 'fence');
        throw this.#lost;
      }
      for (const entry of entries) foldRecord(state, entry);
      // An external writer has set the wake time and maybe the status; what the header says now is not known here.
      if (entries.length > 0) this.#written = {};
      if (entries.length < page) return;
    }
  }
}

const none: readonly NewEntry[] = [];

/** If so many external writers in a row were faster, something else is wrong. */
const maxTries = 100;

function overtaken(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Run ${runId} is written to so often that ${maxTries} attempts were refused. It is continued later.`,
    { details: { runId } },
  );
}

function isNote({ kind, id }: NewEntry): boolean {
  return kind === 'note' && id !== undefined;
}

function changesValues({ kind }: NewEntry): boolean {
  return kind === 'superstep' || kind === 'run-start' || kind === 'turn' || kind === 'migrate';
}

function lostRun(runId: string, why: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_LEASE_LOST',
    `Run ${runId} is no longer leased by this worker (${why}). Another one continues it.`,
    {
      details: { runId, why },
    },
  );
}
