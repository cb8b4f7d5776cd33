import type { Env } from '../../../env/env.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import type { StoredId } from '../../contract/commit.ts';
import type { RunHeader } from '../../contract/run.ts';
import { corrupt } from '../errors.ts';
import { folderName } from '../folder/names.ts';
import { readIds } from '../id/read-ids.ts';
import type { Tail } from '../segment/tail.ts';
import type { FileRunState } from './file-run-state.ts';
import { findRun } from './find-run.ts';
import { placeOfRun, type RunPlace, runsFolder } from './run-place.ts';
import { tidyRun } from './tidy-run.ts';

/** A run that cannot be read. */
export interface CorruptRun {
  readonly place: RunPlace;
  readonly error: HoldfastError;
  /** From before the run was found to be corrupt. */
  readonly header: RunHeader | undefined;
}

interface KnownRun {
  readonly place: RunPlace;
  tail: Tail;
  /** Undefined until more than the header is needed. */
  state: FileRunState | undefined;
  loading: Promise<FileRunState> | undefined;
  /** The ids, once one was asked for. */
  ids: Map<string, StoredId> | undefined;
}

/** What the one writer of a store knows of its runs: the tails of all, the files of those that were asked for. */
export class RunRegistry {
  readonly #env: Env;
  readonly #root: string;
  readonly #runs = new Map<string, KnownRun>();
  /** By folder: the id of a corrupt run cannot always be read. */
  readonly #corrupt = new Map<string, HoldfastError>();

  constructor(env: Env, root: string) {
    this.#env = env;
    this.#root = root;
  }

  /** The headers of all runs but the corrupt ones. */
  headers(): readonly RunHeader[] {
    return this.tails().map(({ header }) => header);
  }

  /** One error for each run that is known to be corrupt. */
  corruption(): readonly HoldfastError[] {
    return [...this.#corrupt.values()];
  }

  /** What is known of each corrupt run: its place, what is wrong with it and, if it was read before, its header. */
  corruptRuns(): readonly CorruptRun[] {
    const known = new Map([...this.#runs.values()].map(({ place, tail }) => [place.folder, tail.header]));
    return [...this.#corrupt].map(([folder, error]) => {
      return { place: { root: this.#root, folder }, error, header: known.get(folder) };
    });
  }

  /** What is wrong with this run, if it is known to be corrupt. */
  corruptionOf(runId: string): HoldfastError | undefined {
    return this.#corrupt.size === 0 ? undefined : this.#corrupt.get(folderName(runId));
  }

  /** The tails of all runs but the corrupt ones. */
  tails(): readonly Tail[] {
    const runs = [...this.#runs.values()];
    const whole = this.#corrupt.size === 0 ? runs : runs.filter(({ place }) => !this.#corrupt.has(place.folder));
    return whole.map(({ tail }) => tail);
  }

  /** @throws HOLDFAST_CORRUPT */
  tail(runId: string): Tail | undefined {
    const error = this.corruptionOf(runId);
    if (error !== undefined) throw error;
    return this.#runs.get(runId)?.tail;
  }

  place(runId: string): RunPlace {
    return this.#runs.get(runId)?.place ?? placeOfRun(this.#root, runId);
  }

  /** The files of a run; read, checked and tidied when they are first asked for. @throws HOLDFAST_CORRUPT */
  async state(runId: string): Promise<FileRunState | undefined> {
    if (this.tail(runId) === undefined) return undefined;
    const known = this.#runs.get(runId) as KnownRun;
    if (known.state !== undefined) return known.state;
    known.loading ??= this.#load(runId, known).finally(() => {
      known.loading = undefined;
    });
    return known.loading;
  }

  /** The ids of a run, of trimmed records too. @throws HOLDFAST_CORRUPT */
  async ids(runId: string, state: FileRunState): Promise<ReadonlyMap<string, StoredId>> {
    const known = this.#runs.get(runId);
    if (known?.ids !== undefined) return known.ids;
    const ids = await readIds(this.#env.files, this.place(runId), { state });
    if (known?.state === state) known.ids = ids;
    return ids;
  }

  /** Notes what has become durable. Without the new ids, all of them are read again when needed. */
  set(runId: string, state: FileRunState, ids?: readonly StoredId[]): void {
    const known = this.#runs.get(runId);
    if (known === undefined) {
      const place = placeOfRun(this.#root, runId);
      this.#runs.set(runId, { place, tail: state.tail, state, loading: undefined, ids: undefined });
      return;
    }
    known.tail = state.tail;
    known.state = state;
    if (ids === undefined) known.ids = undefined;
    else for (const each of ids) known.ids?.set(each.id, each);
  }

  /** Notes a run of which only the tail is known. */
  add(tail: Tail): void {
    const { runId } = tail.header;
    this.#runs.set(runId, { place: this.place(runId), tail, state: undefined, loading: undefined, ids: undefined });
  }

  addCorrupt(folder: string, error: HoldfastError): void {
    this.#corrupt.set(folder, error);
    this.#env.warn(error.message);
  }

  delete(runId: string): void {
    this.#runs.delete(runId);
    this.#corrupt.delete(folderName(runId));
  }

  async #load(runId: string, known: KnownRun): Promise<FileRunState> {
    const place = this.place(runId);
    try {
      const found = await findRun({ env: this.#env, place });
      if (found.state === undefined)
        throw corrupt('its journal is gone', { file: `${runsFolder}/${place.folder}`, runId });
      await tidyRun(this.#env, place, found);
      if (found.state.tail.rev !== known.tail.rev) {
        this.#env.warn(`Run ${runId} was changed while the store was closed. The content of its folder is used.`);
      }
      known.tail = found.state.tail;
      known.state = found.state;
      return found.state;
    } catch (error) {
      if (HoldfastError.is(error)) this.addCorrupt(place.folder, error);
      throw error;
    }
  }
}
