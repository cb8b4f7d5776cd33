import type { Env } from '../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { BatchResult, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, StoreDriver } from '../contract/driver.ts';
import type { ClaimResult } from '../contract/lease.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../contract/read.ts';
import type { TrimResult } from '../contract/retention.ts';
import type { RunHeader } from '../contract/run.ts';
import { reportCorruption } from '../report-corruption.ts';
import { selectRuns } from '../select-runs.ts';
import { storeFault } from '../store-fault.ts';
import { answerRecords, answerSnapshots, isCorrupt } from './read-records.ts';
import { inParallel } from '../../async/in-parallel.ts';
import { findRun } from './run/load-run.ts';
import { isFolderName, pathInside } from './folder/names.ts';
import { readIds } from './segment/record-range.ts';
import { folderPath, placeOfRun, type RunPlace, runsFolder } from './run/run-place.ts';
import type { RunState } from './run/run-state.ts';
import { isMissing } from './errors.ts';
import { firstSeq, lastSeq } from './segment/tail.ts';

/** How often a read begins anew when a writer changes the run under it. */
const mostTries = 5;
const mostAtOnce = 16;

/** Reads a store beside whoever writes to it, without a lock: every answer is read from the files as they are then. */
export class FileReader implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, groups: false, shared: true };
  readonly #env: Env;
  readonly #root: string;

  constructor(env: Env, root: string) {
    this.#env = env;
    this.#root = root;
  }

  async commit(): Promise<readonly BatchResult[]> {
    throw storeFault({ effect: 'none', cause: this.#readOnly() });
  }

  async claim(): Promise<ClaimResult> {
    throw this.#readOnly();
  }

  async trim(): Promise<TrimResult> {
    throw this.#readOnly();
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    const { files } = this.#env;
    const place = placeOfRun(this.#root, query.runId);
    const found = await this.#read({
      place,
      read: (state) =>
        answerRecords({ files, place, state }, query, async (id) => {
          const range = { place, state, from: firstSeq(state.tail), to: lastSeq(state.tail) };
          return (await readIds(files, range)).get(id);
        }),
    });
    return found ?? [];
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    const place = placeOfRun(this.#root, query.runId);
    const found = await this.#read({
      place,
      read: (state) => answerSnapshots({ files: this.#env.files, place, state }, query),
      isOdd: (snapshots) => snapshots.some(isCorrupt),
    });
    return found ?? [];
  }

  async runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    const folders =
      query.runId === undefined
        ? (await this.#env.files.list(pathInside(this.#root, runsFolder))).filter(isFolderName)
        : [placeOfRun(this.#root, query.runId).folder];
    const headers = await inParallel(folders, mostAtOnce, (folder) => this.#header(folder, query));
    return selectRuns(
      headers.filter((header) => header !== undefined),
      query,
    );
  }

  async #header(folder: string, query: RunsQuery): Promise<RunHeader | undefined> {
    try {
      const place = { root: this.#root, folder };
      return await this.#read({ place, read: async ({ tail }) => tail.header, quick: true });
    } catch (error) {
      return reportCorruption(query, error);
    }
  }

  /** Nobody tells a reader of changes: it asks again. */
  watch(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}

  /** A writer may move the files while they are read: what looks wrong is looked at again before it is believed. */
  async #read<T>({ place, read, isOdd = () => false, quick = false }: Reading<T>): Promise<T | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        const state = await this.#find(place, quick);
        if (state === undefined) return undefined;
        const found = await read(state);
        if (tries === mostTries || !isOdd(found)) return found;
      } catch (error) {
        if (tries === mostTries) throw error;
      }
      await new Promise<void>((resolve) => this.#env.nextTick(resolve));
    }
  }

  async #find(place: RunPlace, quick: boolean): Promise<RunState | undefined> {
    try {
      return (await findRun({ env: this.#env, place, quick })).state;
    } catch (error) {
      if (isMissing(error) && (await this.#env.files.info(folderPath(place))) === undefined) return undefined;
      throw error;
    }
  }

  #readOnly(): HoldfastError {
    const message = `The store ${this.#root} is open for reading only. Open it without readOnly to write.`;
    return holdfastError('HOLDFAST_READ_ONLY', message, { details: { dir: this.#root } });
  }
}

interface Reading<T> {
  readonly place: RunPlace;
  readonly read: (state: RunState) => Promise<T>;
  /** What may only look wrong because it was read too early or too late. */
  readonly isOdd?: (found: T) => boolean;
  readonly quick?: boolean;
}
