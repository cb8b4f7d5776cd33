import { inParallel } from '../../async/in-parallel.ts';
import type { Env } from '../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { composeLoad } from '../compose-load.ts';
import type { BatchResult, DoubtResult, StoredId, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { Capabilities, StoreDriver } from '../contract/driver.ts';
import type { ClaimResult } from '../contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from '../contract/read.ts';
import type { TrimResult } from '../contract/retention.ts';
import type { RunHeader } from '../contract/run.ts';
import { isCorruption } from '../is-corruption.ts';
import { selectIdsOf } from '../select-ids.ts';
import { storeFault } from '../store-fault.ts';
import { isMissing } from './errors.ts';
import { isFolderName, pathInside } from './folder/names.ts';
import { readIds } from './id/read-ids.ts';
import { isCorrupt, readRecords, readSnapshots } from './read-records.ts';
import { pageOf } from './read-runs.ts';
import type { FileRunState } from './run/file-run-state.ts';
import { findRun } from './run/find-run.ts';
import { folderPath, placeOfRun, type RunPlace, runsFolder } from './run/run-place.ts';

/** How often a read starts over when a writer changes the run meanwhile. */
const mostTries = 5;
const readTogether = 16;

/** Reads a store beside the process that writes to it, without a lock. Every answer comes from the files as they are then. */
export class ReadOnlyFileDriver implements StoreDriver {
  readonly capabilities: Capabilities = { reopens: true, shared: true, groupsInFlight: 1 };
  readonly #env: Env;
  readonly #root: string;

  constructor(env: Env, root: string) {
    this.#env = env;
    this.#root = root;
  }

  async commit(): Promise<readonly BatchResult[]> {
    throw storeFault({ effect: 'none', cause: this.#readOnly() });
  }

  async resolveDoubt(): Promise<DoubtResult> {
    throw this.#readOnly();
  }

  async claim(): Promise<ClaimResult> {
    throw this.#readOnly();
  }

  async trim(): Promise<TrimResult> {
    throw this.#readOnly();
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return composeLoad(this, query);
  }

  async records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    const { files } = this.#env;
    const place = placeOfRun(this.#root, query.runId);
    const found = await this.#read({
      place,
      read: (state) => readRecords({ files, place, state }, query),
    });
    return found ?? [];
  }

  async snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    const place = placeOfRun(this.#root, query.runId);
    const found = await this.#read({
      place,
      read: (state) => readSnapshots({ files: this.#env.files, place, state }, query),
      isOdd: (snapshots) => snapshots.some(isCorrupt),
    });
    return found ?? [];
  }

  async ids(query: IdQuery): Promise<readonly StoredId[]> {
    const place = placeOfRun(this.#root, query.runId);
    const read = async (state: FileRunState): Promise<readonly StoredId[]> =>
      selectIdsOf(await readIds(this.#env.files, place, { state }), query);
    return (await this.#read({ place, read })) ?? [];
  }

  async runs(query: RunsQuery): Promise<RunsPage> {
    const folders =
      query.runIds === undefined
        ? (await this.#env.files.list(pathInside(this.#root, runsFolder))).filter(isFolderName)
        : [...new Set(query.runIds)].map((runId) => placeOfRun(this.#root, runId).folder);
    return pageOf(await inParallel(folders, readTogether, (folder) => this.#header(folder)), query);
  }

  async #header(folder: string): Promise<RunHeader | HoldfastError | undefined> {
    try {
      const place = { root: this.#root, folder };
      return await this.#read({ place, read: async ({ tail }) => tail.header, quick: true });
    } catch (error) {
      if (isCorruption(error)) return error;
      throw error;
    }
  }

  /** A reader is not told of changes; it asks again. */
  watch(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}

  /** A writer may move files while they are read, so what looks wrong is read again before it counts. */
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

  async #find(place: RunPlace, quick: boolean): Promise<FileRunState | undefined> {
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
  readonly read: (state: FileRunState) => Promise<T>;
  /** Whether it looks wrong, which may be because of the moment it was read at. */
  readonly isOdd?: (found: T) => boolean;
  readonly quick?: boolean;
}
