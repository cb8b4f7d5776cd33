import { abortable } from '../async/abortable.ts';
import { type Listing, listing } from '../async/listing.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { CompiledGraph } from '../graph/compile/compiled-graph.ts';
import type { Change } from '../history/diff-states.ts';
import type { Checkpoint } from '../journal/checkpoint/checkpoint.ts';
import type { RunState } from '../runner/fold/run-state.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { checkOptions } from '../value/check/check-options.ts';
import { giveAnswer } from './command/answer-run.ts';
import { cancelRun } from './command/cancel-run.ts';
import { endSuspension, endSuspensionOfChildren } from './command/end-suspension.ts';
import type { ForkRunOptions } from './command/fork-run.ts';
import { checkNotSuspended, partsWithin } from './command/parts-within.ts';
import { type ResumeOptions, resumeRun } from './command/resume-run.ts';
import { sendMessage } from './command/send-message.ts';
import { settleEffect } from './command/settle-effect.ts';
import { tellFork, toldAnswer } from './command/tell.ts';
import type {
  AnswerRunOptions,
  CommandOptions,
  DiffOptions,
  EffectOutcome,
  EventsOptions,
  HistoryOptions,
  Outcome,
  RunEvent,
  RunLeaseInfo,
  RunSummary,
  StartedRun,
  WaitingOptions,
} from './graph-run.ts';
import { isSuspended } from './lease/suspended.ts';
import { notFound } from './not-found.ts';
import type { EngineParts } from './parts.ts';
import { streamEvents } from './query/events/event-stream.ts';
import { leaseOf } from './query/lease-of.ts';
import { LeftRunWatch } from './query/left-run-watch.ts';
import { isIdle, outcomeOf, type StandingRun, standingRun } from './query/outcome.ts';
import { checkpointAt, type HistoryContext, readHistory } from './query/run-history.ts';
import { hasEnded, summaryOf } from './query/run-summary.ts';
import { idIn, startedRun, withId } from './started-run.ts';

/** The handle of a run. Keeps only the id. */
export class RunHandle {
  readonly id: string;
  readonly cursor: string;
  readonly #parts: EngineParts;
  readonly #graph: CompiledGraph | undefined;
  /** Of a run that was submitted within a transaction: whether that is known to be open still. */
  readonly #isOpen: (() => boolean) | undefined;

  static {
    // Printed by console.log: users know it as a `Run`.
    Object.defineProperty(this, 'name', { value: 'Run' });
  }

  constructor(parts: EngineParts, { id, cursor, graph, isOpen }: HandleOptions) {
    this.#parts = parts;
    this.#graph = graph;
    this.#isOpen = isOpen;
    this.id = id;
    this.cursor = cursor;
  }

  /** The parts behind a handle. Undefined if the value is not a handle. */
  static partsOf(run: object): EngineParts | undefined {
    return #parts in run ? run.#parts : undefined;
  }

  async outcome(options: WaitingOptions = {}): Promise<Outcome> {
    const { signal } = checkOptions('outcome()', options, { signal: true });
    const isMet = (header: RunHeader, onChild: (child: string) => void): Promise<boolean> =>
      isIdle(this.#parts, header, onChild);
    return outcomeOf(this.#parts.store, await this.#waitUntil(isMet, signal));
  }

  async result(options: WaitingOptions = {}): Promise<unknown> {
    const { signal } = checkOptions('result()', options, { signal: true });
    const standing = await this.#waitUntil(async (found) => hasEnded(found) || isSuspended(found), signal);
    const outcome = await outcomeOf(this.#parts.store, standing);
    if (outcome.status === 'completed') return outcome.output;
    if (outcome.status === 'failed') throw outcome.error;
    if (outcome.status === 'suspended') throw suspended(this.id);
    const reason = outcome.status === 'cancelled' ? outcome.reason : undefined;
    const because = reason === undefined ? '' : `: ${reason}`;
    throw holdfastError('HOLDFAST_CANCELLED', `Run "${this.id}" was cancelled${because}.`, {
      details: { runId: this.id, reason },
    });
  }

  async *emits(options: WaitingOptions = {}): AsyncGenerator {
    const { signal } = checkOptions('emits()', options, { signal: true });
    for await (const event of this.events({ after: this.cursor, until: 'idle', signal })) {
      if (event.type === 'emit') yield event.data;
    }
  }

  events(options: EventsOptions = {}): AsyncGenerator<RunEvent> {
    const { store, env, changes, live } = this.#parts;
    return streamEvents({
      ...options,
      asked: options,
      store,
      env,
      changes,
      live,
      find: () => this.#header(),
      isIdle: (found, onChild) => isIdle(this.#parts, found, onChild),
    });
  }

  async answer(name: string, value: unknown, options: AnswerRunOptions = {}): Promise<void> {
    const { id, by, within } = checkOptions('answer()', options, { id: true, by: true, within: true });
    const given = { name, value, id, by };
    const parts = this.#partsFor(within);
    if (within !== undefined) await checkNotSuspended(parts, this.id);
    const { inner, found } = await toldAnswer(parts.env, { runId: this.id, name, by }, () =>
      giveAnswer(parts, this.id, given, this.#graph),
    );
    if (inner !== undefined) {
      const child = new RunHandle(this.#parts, { id: inner.childId, cursor: '0', graph: inner.graph });
      await child.answer(inner.name, value, { id, by, within });
      if (within === undefined) await this.#endSuspension(await this.#header());
      return;
    }
    if (within !== undefined) return;
    await this.#endSuspension(found);
    await this.#goOn(found);
  }

  async send(name: string, value: unknown, options: AnswerRunOptions = {}): Promise<void> {
    const { id, by, within } = checkOptions('send()', options, { id: true, by: true, within: true });
    const sent = await sendMessage(this.#partsFor(within), this.id, { name, value, id, by }, this.#graph);
    if (within === undefined) await this.#goOn(sent);
  }

  /** Whoever writes within a transaction of the user reads there too. */
  #partsFor(within: object | undefined): EngineParts {
    return within === undefined ? this.#parts : partsWithin(this.#parts, within).parts;
  }

  async settle(key: string, outcome: EffectOutcome, options: CommandOptions = {}): Promise<void> {
    const { by } = checkOptions('settle()', options, { by: true });
    await this.#goOn(await settleEffect(this.#parts, this.id, { key, outcome, by }));
  }

  async summary(): Promise<RunSummary> {
    return summaryOf(await this.#header());
  }

  async lease(): Promise<RunLeaseInfo | null> {
    return leaseOf(this.#parts.store, await this.#header());
  }

  history(options: HistoryOptions = {}): Listing<Checkpoint> {
    const lookingBack = (): Promise<HistoryContext> => this.#lookingBack();
    return listing(async function* () {
      yield* readHistory(await lookingBack(), options);
    });
  }

  async state(at?: string): Promise<Checkpoint['state']> {
    return (await this.checkpoint(at)).state;
  }

  async checkpoint(at?: string): Promise<Checkpoint> {
    return checkpointAt(await this.#lookingBack(), at);
  }

  async diff(from: string, to: string, options?: DiffOptions): Promise<readonly Change[]> {
    // Loaded on demand: few programs call diff().
    const { diffCheckpoints } = await import('./query/diff-runs.ts');
    return diffCheckpoints(this.#parts.store, { header: await this.#header(), from, to }, options);
  }

  fork(options: ForkRunOptions = {}): StartedRun {
    const { newId } = this.#parts;
    const id = idIn(options, newId);
    return startedRun(id, this.#fork(options, id), newId);
  }

  async #fork(options: ForkRunOptions, id: string): Promise<RunHandle> {
    const { forkRun } = await import('./command/fork-run.ts');
    const { runId, seq } = await forkRun(this.#parts, await this.#header(), this.#graph, withId(options, id));
    tellFork(this.#parts.env, runId, this.id);
    return new RunHandle(this.#parts, { id: runId, cursor: String(seq), graph: this.#graph });
  }

  async #lookingBack(): Promise<HistoryContext> {
    return { store: this.#parts.store, header: await this.#header(), graph: this.#graph };
  }

  resume(options: ResumeOptions = {}): StartedRun {
    return startedRun(this.id, this.#resume(options), this.#parts.newId);
  }

  async #resume(options: ResumeOptions): Promise<RunHandle> {
    await resumeRun(this.#parts, this.id, options);
    return this;
  }

  async cancel(reason?: string, options: CommandOptions = {}): Promise<void> {
    const { by } = checkOptions('cancel()', options, { by: true });
    await cancelRun(this.#parts, this.id, { reason, by });
  }

  async #header(): Promise<RunHeader> {
    // The reader would wait for the transaction, and the transaction for the reader.
    if (this.#isOpen?.() === true) throw notCommitted(this.id);
    const header = await this.#parts.store.header(this.id);
    if (header !== undefined && header.kind !== 'journal') return header;
    throw this.#isOpen === undefined ? notFound(this.id, header?.kind) : notCommitted(this.id);
  }

  /** Resolves with the run once it meets the condition or has ended. Waiting never starts it. */
  async #waitUntil(
    isMet: (header: RunHeader, onChild: (child: string) => void) => Promise<boolean>,
    signal: AbortSignal | undefined,
  ): Promise<StandingRun> {
    const { worker, changes, env } = this.#parts;
    const watch = new LeftRunWatch(this.#parts);
    let left: RunState | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const executing = worker.whenDone(this.id);
      const run = executing && (await abortable(executing, signal));
      // Most callers wait for a run that executes here: nothing else needs a listener.
      if (run?.hasEnded) return run;
      // A lease that was lost may have folded records that were never written.
      left = run?.header === undefined ? left : run.state;
      const attention = changes.watch(this.id);
      // What this process knows is enough to keep waiting. Read before returning: someone may have answered since.
      const isNotMet = run?.header !== undefined && !(await isMet(run.header, attention.also));
      const header = isNotMet ? run.header : await this.#header();
      const refused = this.#failureAt(header);
      if (refused === undefined && !isNotMet && (await isMet(header, attention.also))) {
        attention.forget();
        return standingRun(this.#parts, header, left);
      }
      const failure = refused ?? worker.popFailure(this.id);
      if (failure !== undefined) {
        attention.forget();
        throw failure;
      }
      if (worker.whenDone(this.id) !== undefined) {
        attention.forget();
        continue;
      }
      await watch.look(header);
      const waitMs = header.wakeAt === null ? undefined : header.wakeAt - env.clock.now();
      await attention.next({ atMostMs: waitMs !== undefined && waitMs > 0 ? waitMs : undefined, signal });
    }
  }

  /** A run that failed to continue here looks as if it were only waiting. */
  #failureAt(header: RunHeader): Error | undefined {
    return hasEnded(header) ? undefined : this.#parts.worker.popFailure(this.id, header.head);
  }

  /** Continues the run here if it is due and its code is available. `header` is the header before the write. */
  async #goOn(header: RunHeader): Promise<void> {
    const { changes, worker, executes } = this.#parts;
    changes.tell(this.id);
    if (!executes) return;
    // Also after a work loop has ended: somebody asks for this run here.
    worker.admission.open();
    await worker.continueRun(header);
  }

  /** Continues a run that was answered while it was suspended, with its children. */
  async #endSuspension(answered: RunHeader): Promise<void> {
    if (!isSuspended(answered)) return;
    await endSuspensionOfChildren(this.#parts, answered);
    // An answer to an inner graph, or a repeated one, was not written to this run.
    if (isSuspended(await this.#header())) await endSuspension(this.#parts, this.id);
  }
}

function suspended(runId: string): Error {
  return holdfastError(
    'HOLDFAST_SUSPENDED',
    `Run "${runId}" is suspended: nobody executes it. Call resume() or answer() on it to continue.`,
    { details: { runId } },
  );
}

function notCommitted(runId: string): Error {
  return holdfastError(
    'HOLDFAST_NOT_FOUND',
    `Run "${runId}" was submitted within a transaction that has not been committed. COMMIT it first; after a ROLLBACK there is no such run.`,
    { details: { runId } },
  );
}

interface HandleOptions {
  readonly id: string;
  readonly cursor: string;
  readonly graph: CompiledGraph | undefined;
  readonly isOpen?: (() => boolean) | undefined;
}
