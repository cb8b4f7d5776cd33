import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns, anyHeader } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { Encryption } from '../../value/secret/encryption-key.ts';
import { forkCycle, movedRun } from './moved-run.ts';
import { lastKept, readParts } from './read-parts.ts';
import { discardDraft, RunArrival } from './run-arrival.ts';

/**
 * Options of a promotion.
 *
 * @example
 * ```ts
 * await promote('file:./runs', 'sqlite:./runs.db', { onProgress: ({ phase, runId }) => console.log(phase, runId) });
 * ```
 */
export interface PromoteOptions {
  /** Called for every run that was copied, and then for every run that was verified. */
  readonly onProgress?: ((progress: PromoteProgress) => unknown) | undefined;
  /** The keys of the source and of the target. Copies are written with the first key. */
  readonly encryption?: Encryption | undefined;
  /** Stops between two runs; call again to continue. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The progress of a promotion.
 *
 * @example
 * ```ts
 * const print = ({ phase, runs }: PromoteProgress): void => console.log(`${phase}: run ${runs}`);
 * await promote('file:./runs', 'sqlite:./runs.db', { onProgress: print });
 * ```
 */
export interface PromoteProgress {
  readonly phase: 'copy' | 'verify';
  readonly runId: string;
  /** Runs done in this phase. */
  readonly runs: number;
  /** Records read in this phase. */
  readonly records: number;
}

/**
 * What a promotion did.
 *
 * @example
 * ```ts
 * const { copied, skipped } = await promote('file:./runs', 'sqlite:./runs.db');
 * ```
 */
export interface PromoteReport {
  /** The runs of the source, including deleted ones that forks still need. */
  readonly runs: number;
  /** Runs that were not in the target before. */
  readonly copied: number;
  /** Runs that were already in the target, and the same. */
  readonly skipped: number;
  readonly records: number;
}

/** How often runs that changed meanwhile are copied again. */
const maxRounds = 5;

interface PromotionContext {
  readonly env: Pick<Env, 'nextTick'>;
  readonly source: CheckedStore;
  readonly target: CheckedStore;
}

/** Copies all runs of an open store into another. */
export function promoteRuns(context: PromotionContext, options: PromoteOptions): Promise<PromoteReport> {
  return new Promotion(context, options).carryOut();
}

/** Tells whether a run has changed since it was copied. */
function stampOf({ head, floor, hidden, updatedAt, epoch }: RunHeader): string {
  return JSON.stringify([head, floor, hidden, updatedAt, epoch]);
}

class Promotion {
  readonly #env: PromotionContext['env'];
  readonly #source: CheckedStore;
  readonly #target: CheckedStore;
  readonly #options: PromoteOptions;
  /** By run, in the order in which they were copied. */
  readonly #copied = new Map<string, string>();
  readonly #drafts = new Set<string>();
  #records = 0;

  constructor({ env, source, target }: PromotionContext, options: PromoteOptions) {
    this.#env = env;
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async carryOut(): Promise<PromoteReport> {
    for (let round = 1; await this.#copyChanged(round === maxRounds); round += 1);
    const records = this.#records;
    this.#records = 0;
    // Child runs are younger than their parents: a visible run always finds the runs that it waits for.
    const drafts = [...this.#copied.keys()].filter((runId) => this.#drafts.has(runId)).toReversed();
    for (const [at, runId] of drafts.entries()) await this.#show(runId, at + 1);
    for (const runId of this.#copied.keys()) await this.#unchanged(runId);
    const runs = this.#copied.size;
    return { runs, copied: drafts.length, skipped: runs - drafts.length, records };
  }

  /** Copies the runs that are new or have changed; false when there were none. */
  async #copyChanged(isLast: boolean): Promise<boolean> {
    let isChanged = false;
    for (const hidden of [false, true]) {
      for await (const header of allRuns(this.#source, { hidden })) {
        if (header.draft === true || this.#copied.get(header.runId) === stampOf(header)) continue;
        if (isLast) throw writtenTo(header.runId);
        isChanged = true;
        await this.#copy(header);
      }
    }
    return isChanged;
  }

  /** Copies the runs it was forked from first. */
  async #copy(header: RunHeader, seen: ReadonlySet<string> = new Set()): Promise<void> {
    const { runId, forkedAt } = header;
    this.#options.signal?.throwIfAborted();
    if (seen.has(runId)) throw forkCycle(runId);
    if (forkedAt !== null) {
      const base = await anyHeader(this.#source, forkedAt.runId);
      const isCopied = base === undefined || this.#copied.get(base.runId) === stampOf(base);
      if (!isCopied) await this.#copy(base, new Set([...seen, runId]));
    }
    const arrival = await this.#bring(header);
    if (!arrival.isThere) this.#drafts.add(runId);
    this.#copied.delete(runId);
    this.#copied.set(runId, stampOf(header));
    this.#tell('copy', runId, this.#copied.size);
  }

  /** Continues the draft of an earlier promotion, unless the run was pruned since. */
  async #bring(header: RunHeader): Promise<RunArrival> {
    try {
      return await this.#send(header);
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_ID_TAKEN')) throw error;
      const gone = await discardDraft({ store: this.#target, env: this.#env }, header.runId);
      for (const runId of gone) this.#copied.delete(runId);
      if (!gone.includes(header.runId)) throw error;
      return this.#send(header);
    }
  }

  async #send(header: RunHeader): Promise<RunArrival> {
    const upTo = await lastKept(this.#source, header);
    const arrival = await RunArrival.begin(this.#target, movedRun(header, upTo));
    for await (const part of readParts({ store: this.#source, header, upTo })) {
      this.#records += part.entries.length;
      await arrival.take(part);
    }
    arrival.finish();
    return arrival;
  }

  /** Compares the copy with the source once more, and makes it visible. */
  async #show(runId: string, count: number): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const header = await this.#unchanged(runId);
    await (await this.#send(header)).show();
    this.#tell('verify', runId, count);
  }

  async #unchanged(runId: string): Promise<RunHeader> {
    const header = await anyHeader(this.#source, runId);
    if (header === undefined || stampOf(header) !== this.#copied.get(runId)) throw writtenTo(runId);
    return header;
  }

  #tell(phase: PromoteProgress['phase'], runId: string, runs: number): void {
    this.#options.onProgress?.({ phase, runId, runs, records: this.#records });
  }
}

function writtenTo(runId: string): Error {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Run "${runId}" changed in the source while it was promoted. Stop the writers and promote again. If the target already has the run, delete it there first.`,
    { details: { runId } },
  );
}
