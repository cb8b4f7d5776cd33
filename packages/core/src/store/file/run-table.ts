import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunHeader, RunsQuery, StoredRecord } from '../contract.ts';
import { tellDamage } from '../report-corruption.ts';
import { damaged } from './damage.ts';
import { findRun } from './load-run.ts';
import { folderName } from './names.ts';
import { readIds } from './read-records.ts';
import { placeOfRun, type RunPlace, runsFolder } from './run-place.ts';
import type { RunState } from './run-state.ts';
import { firstSeq, lastSeq, type Tail } from './tail.ts';
import { tidyRun } from './tidy-run.ts';

interface KnownRun {
  readonly place: RunPlace;
  tail: Tail;
  /** Undefined until somebody asks for more than the header. */
  state: RunState | undefined;
  loading: Promise<RunState> | undefined;
  /** The chosen ids, once somebody has asked for one. */
  ids: Map<string, number> | undefined;
}

/** What the one writer of a store knows of its runs: the tails of all, the files of those that were asked for. */
export class RunTable {
  readonly #env: Env;
  readonly #root: string;
  readonly #runs = new Map<string, KnownRun>();
  /** By folder: what a damaged run is called cannot always be read. */
  readonly #damaged = new Map<string, HoldfastError>();

  constructor(env: Env, root: string) {
    this.#env = env;
    this.#root = root;
  }

  get hasDamage(): boolean {
    return this.#damaged.size > 0;
  }

  /** Every header. @throws HOLDFAST_DAMAGED when there are runs that cannot be read: they are never left out in silence */
  headers(query: Pick<RunsQuery, 'onDamage'> = {}): readonly RunHeader[] {
    for (const error of this.#damaged.values()) tellDamage(query, error);
    return this.tails().map(({ header }) => header);
  }

  /** The tails of all runs but those that were found out to be damaged. */
  tails(): readonly Tail[] {
    const runs = [...this.#runs.values()];
    const whole = this.#damaged.size === 0 ? runs : runs.filter(({ place }) => !this.#damaged.has(place.folder));
    return whole.map(({ tail }) => tail);
  }

  /** @throws HOLDFAST_DAMAGED */
  tail(run: string): Tail | undefined {
    const known = this.#runs.get(run);
    if (this.#damaged.size > 0) {
      const error = this.#damaged.get(folderName(run));
      if (error !== undefined) throw error;
    }
    return known?.tail;
  }

  place(run: string): RunPlace {
    return this.#runs.get(run)?.place ?? placeOfRun(this.#root, run);
  }

  /** The files of a run; read, checked and tidied when they are first asked for. @throws HOLDFAST_DAMAGED */
  async state(run: string): Promise<RunState | undefined> {
    if (this.tail(run) === undefined) return undefined;
    const known = this.#runs.get(run) as KnownRun;
    if (known.state !== undefined) return known.state;
    known.loading ??= this.#load(run, known).finally(() => {
      known.loading = undefined;
    });
    return known.loading;
  }

  /** The place and the files of a run, where nothing has to be read for them. */
  atHand(run: string): { readonly place: RunPlace; readonly state: RunState } | undefined {
    const known = this.#damaged.size > 0 ? undefined : this.#runs.get(run);
    return known?.state === undefined ? undefined : (known as KnownRun & { readonly state: RunState });
  }

  /** The seq of the record with this chosen id. @throws HOLDFAST_DAMAGED */
  async seqOf(run: string, id: string, state: RunState): Promise<number | undefined> {
    const known = this.#runs.get(run);
    if (known?.ids !== undefined) return known.ids.get(id);
    const range = { place: this.place(run), state, from: firstSeq(state.tail), to: lastSeq(state.tail) };
    const ids = await readIds(this.#env.files, range);
    if (known?.state === state) known.ids = ids;
    return ids.get(id);
  }

  /** Takes note of what has become durable. Without the new records, all chosen ids are to be read again. */
  set(run: string, state: RunState, records?: readonly StoredRecord[]): void {
    const known = this.#runs.get(run);
    if (known === undefined) {
      const place = placeOfRun(this.#root, run);
      this.#runs.set(run, { place, tail: state.tail, state, loading: undefined, ids: undefined });
      return;
    }
    known.tail = state.tail;
    known.state = state;
    if (records === undefined) known.ids = undefined;
    else if (known.ids !== undefined) addIds(known.ids, records);
  }

  /** Takes note of a run of which only the tail is known. */
  add(tail: Tail): void {
    const { run } = tail.header;
    this.#runs.set(run, { place: this.place(run), tail, state: undefined, loading: undefined, ids: undefined });
  }

  addDamaged(folder: string, error: HoldfastError): void {
    this.#damaged.set(folder, error);
    this.#env.warn(error.message);
  }

  delete(run: string): void {
    this.#runs.delete(run);
  }

  async #load(run: string, known: KnownRun): Promise<RunState> {
    const place = this.place(run);
    try {
      const found = await findRun({ env: this.#env, place });
      if (found.state === undefined)
        throw damaged('its journal is gone', { file: `${runsFolder}/${place.folder}`, run });
      await tidyRun(this.#env, place, found);
      if (found.state.tail.rev !== known.tail.rev) {
        this.#env.warn(`Run ${run} has changed since the store was closed. What its folder says now counts.`);
      }
      known.tail = found.state.tail;
      known.state = found.state;
      return found.state;
    } catch (error) {
      if (HoldfastError.is(error)) this.addDamaged(place.folder, error);
      throw error;
    }
  }
}

function addIds(ids: Map<string, number>, records: readonly StoredRecord[]): void {
  for (const { id, seq } of records) if (id !== undefined) ids.set(id, seq);
}
