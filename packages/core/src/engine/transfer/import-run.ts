import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { NewEntry } from '../../record/record.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { HeaderState } from '../../store/contract/run.ts';
import { checkRunId } from '../../value/id.ts';
import { hasEnded } from '../query/run-summary.ts';
import type { ExportStart } from './export-line.ts';
import { beginOf, type MovedRun, type Part } from './moved-run.ts';
import { readExport } from './read-export.ts';
import { discardDraft, RunArrival } from './run-arrival.ts';

/** How an export is imported. */
export interface ImportOptions {
  /** Another id for the exported run; only where no children came with it, because they are found by its id. */
  readonly id?: string | undefined;
}

/** What came of an import. */
export interface ImportReport {
  /** The run that was exported. */
  readonly runId: string;
  /** The runs in the file: the run, its children, and the bases that they stand on. */
  readonly runs: number;
  /** Those of them that were not there before. */
  readonly imported: number;
  /** Whether something was left out or replaced when it was exported: then the run can be read, and not gone on with. */
  readonly redacted: boolean;
}

/** As many records as go into one commit. */
const partSize = 64;

/**
 * Brings an exported run into the store. All of it is checked before any of it is seen; a run that is there with the
 * same content is left as it is. Nothing executes: an unfinished run is suspended, as a fork is.
 *
 * @throws HOLDFAST_FOREIGN_FILE, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_ID_TAKEN, HOLDFAST_CONFLICT
 */
export async function importRun(
  store: CheckedStore,
  source: AsyncIterable<Uint8Array> | Uint8Array,
  { id }: ImportOptions = {},
): Promise<ImportReport> {
  const importing = new Importing(store, id === undefined ? undefined : checkRunId(id));
  // What lies in memory can be read twice: then nothing is written of what is not whole.
  if (source instanceof Uint8Array) for await (const item of readExport(source)) importing.check(item);
  try {
    for await (const item of readExport(source)) await importing.take(item);
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CONFLICT')) await importing.undo();
    throw error;
  }
  return importing.show();
}

type Item = ReturnType<typeof readExport> extends AsyncGenerator<infer T> ? T : never;

/** An import in flight: drafts until `show`. */
class Importing {
  readonly #store: CheckedStore;
  readonly #id: string | undefined;
  readonly #arrivals: RunArrival[] = [];
  #start: ExportStart = { root: '', redacted: false };
  #after = 0;
  #entries: NewEntry[] = [];
  /** What is to come after the last record of the run. */
  #end: NewEntry | undefined;

  constructor(store: CheckedStore, id: string | undefined) {
    this.#store = store;
    this.#id = id;
  }

  /** @throws HOLDFAST_INVALID_OPTION when the run cannot have another id */
  check(item: Item): void {
    if (item.type === 'start') this.#start = item;
    if (item.type === 'run' && this.#id !== undefined && item.moved.parentId === this.#start.root) {
      throw holdfastError(
        'HOLDFAST_INVALID_OPTION',
        `Run ${this.#start.root} cannot be imported as ${this.#id}: its child ${item.moved.runId} would not be found. Import it under its own id, into another store if need be.`,
        { details: { option: 'id', runId: this.#start.root, child: item.moved.runId } },
      );
    }
  }

  async take(item: Item): Promise<void> {
    this.check(item);
    switch (item.type) {
      case 'start':
        return;
      case 'run':
        await this.#finish();
        return this.#begin(item.moved);
      case 'record':
        this.#entries.push(item.entry);
        return this.#entries.length < partSize ? undefined : this.#flush();
      case 'snapshot':
        return this.#flush(item.snapshot);
      case 'whole':
        return this.#finish();
    }
  }

  /** Takes away what was written; what a crash leaves is never seen, and goes with the next import of the run. */
  async undo(): Promise<void> {
    for (const { isThere, moved } of this.#arrivals.toReversed())
      if (!isThere) await discardDraft(this.#store, moved.runId);
  }

  async show(): Promise<ImportReport> {
    for (const arrival of this.#arrivals) await arrival.show();
    const { root, redacted } = this.#start;
    const imported = this.#arrivals.filter(({ isThere }) => !isThere).length;
    return { runId: this.#id ?? root, runs: this.#arrivals.length, imported, redacted };
  }

  async #begin(exported: MovedRun): Promise<void> {
    const isRenamed = this.#id !== undefined && exported.runId === this.#start.root;
    // A parent waits for the child that it knows.
    const own = isRenamed ? { runId: this.#id, parentId: null } : {};
    this.#end = this.#endOf(exported);
    const ends = this.#end !== undefined;
    const header = ends ? ended(exported) : suspended(exported);
    const moved: MovedRun = { ...exported, ...own, header, head: exported.head + (ends ? 1 : 0) };
    await discardDraft(this.#store, moved.runId);
    this.#arrivals.push(await RunArrival.begin(this.#store, moved));
    this.#after = beginOf(moved);
  }

  /** The record that ends a redacted run: it has no longer what it would need to go on. */
  #endOf({ kind, end, updatedAt, header: { status } }: MovedRun): NewEntry | undefined {
    const goesOn = kind === 'graph' && end === 'seen' && status !== 'completed' && status !== 'cancelled';
    if (!goesOn || !this.#start.redacted) return undefined;
    const payload = { status: 'cancelled', reason: 'it was imported from a redacted file' };
    return { kind: 'run-end', at: updatedAt, payload };
  }

  async #flush(snapshot?: Part['snapshot']): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    await this.#arrivals.at(-1)?.take({ after: this.#after, entries, snapshot });
    this.#after += entries.length;
  }

  async #finish(): Promise<void> {
    const arrival = this.#arrivals.at(-1);
    if (arrival === undefined) return;
    await this.#flush();
    if (this.#end !== undefined) {
      this.#entries.push(this.#end);
      await this.#flush();
    }
    arrival.finish();
  }
}

/** Nobody executes an imported run until somebody resumes or answers it. */
function suspended({ kind, end, header }: MovedRun): HeaderState {
  const isOver = kind === 'journal' || end === 'hidden' || hasEnded(header);
  return { ...header, status: isOver ? header.status : 'suspended', wakeAt: null };
}

function ended({ header }: MovedRun): HeaderState {
  return { ...header, status: 'cancelled', frontier: [], waits: [], wakeAt: null };
}
