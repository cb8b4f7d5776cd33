import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { Encryption } from '../../value/secret/encryption-key.ts';
import { movedRun } from './moved-run.ts';
import { anyHeader, lastKept, readParts } from './read-parts.ts';
import { discardDraft, RunArrival } from './run-arrival.ts';

/** How runs are promoted. */
export interface PromoteOptions {
  /** Told of every run that was copied, and then of every one that was verified. */
  readonly onProgress?: ((progress: PromoteProgress) => unknown) | undefined;
  /** The keys of the source, and of the target: what is copied is written with the first of them. */
  readonly encryption?: Encryption | undefined;
  /** Stops between two runs; calling again goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** How far a promotion is. */
export interface PromoteProgress {
  readonly phase: 'copy' | 'verify';
  readonly runId: string;
  /** Runs done in this phase. */
  readonly runs: number;
  /** Records read in this phase. */
  readonly records: number;
}

/** What a promotion did. */
export interface PromoteReport {
  /** The runs of the source; those that were deleted and are kept for their forks are counted. */
  readonly runs: number;
  /** Those that were not in the target before. */
  readonly copied: number;
  /** Those that were there, and the same. */
  readonly skipped: number;
  readonly records: number;
}

/** So often is what was written meanwhile copied too. */
const maxRounds = 5;

/** Copies all runs of an open store into another. */
export function promoteRuns(
  source: CheckedStore,
  target: CheckedStore,
  options: PromoteOptions,
): Promise<PromoteReport> {
  return new Promotion(source, target, options).carryOut();
}

/** What was seen of a run when it was copied: another head, floor or last word means that it has changed. */
function stampOf({ head, floor, hidden, updatedAt, epoch }: RunHeader): string {
  return JSON.stringify([head, floor, hidden, updatedAt, epoch]);
}

class Promotion {
  readonly #source: CheckedStore;
  readonly #target: CheckedStore;
  readonly #options: PromoteOptions;
  /** By run, in the order in which they were copied. */
  readonly #copied = new Map<string, string>();
  readonly #drafts = new Set<string>();
  #records = 0;

  constructor(source: CheckedStore, target: CheckedStore, options: PromoteOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async carryOut(): Promise<PromoteReport> {
    for (let round = 1; await this.#copyChanged(round === maxRounds); round += 1);
    const records = this.#records;
    this.#records = 0;
    // Children are younger than their parents: who sees a run finds those that it waits for.
    const drafts = [...this.#copied.keys()].filter((runId) => this.#drafts.has(runId)).toReversed();
    for (const [at, runId] of drafts.entries()) await this.#show(runId, at + 1);
    for (const runId of this.#copied.keys()) await this.#unchanged(runId);
    const runs = this.#copied.size;
    return { runs, copied: drafts.length, skipped: runs - drafts.length, records };
  }

  /** Copies what was not copied as it is now; whether there was such a run. */
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

  /** With the bases that it stands on first. */
  async #copy(header: RunHeader): Promise<void> {
    const { runId, forkedAt } = header;
    this.#options.signal?.throwIfAborted();
    if (forkedAt !== null) {
      const below = await anyHeader(this.#source, forkedAt.runId);
      if (below !== undefined && this.#copied.get(below.runId) !== stampOf(below)) await this.#copy(below);
    }
    const arrival = await this.#bring(header);
    if (!arrival.isThere) this.#drafts.add(runId);
    this.#copied.delete(runId);
    this.#copied.set(runId, stampOf(header));
    this.#tell('copy', runId, this.#copied.size);
  }

  /** What was left of another try is gone on with, unless it is of a run that has been pruned since. */
  async #bring(header: RunHeader): Promise<RunArrival> {
    try {
      return await this.#send(header);
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_ID_TAKEN')) throw error;
      const gone = await discardDraft(this.#target, header.runId);
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

  /** Compares what has come with the source once more, and lets it be seen. */
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
    `Run ${runId} is written to in the source while it is promoted. Stop who writes there, and promote again; if the target has the run already, delete it there first.`,
    { details: { runId } },
  );
}
