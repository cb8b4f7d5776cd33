import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { checkCheckpoints } from '../../journal/checkpoint/check-checkpoints.ts';
import type { TrimContext } from '../../journal/trim-run.ts';
import type { NewEntry } from '../../record/record.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { HeaderState } from '../../store/contract/run.ts';
import { checkOptions } from '../../value/check/check-options.ts';
import { checkRunId } from '../../value/id.ts';
import { hasEnded } from '../query/run-summary.ts';
import type { ExportStart } from './export-line.ts';
import { beginOf, type MovedRun, type Part } from './moved-run.ts';
import { readExport } from './read-export.ts';
import { discardDraft, RunArrival } from './run-arrival.ts';

/**
 * Options of an import.
 *
 * @example
 * ```ts
 * await engine.import(bytes, { id: 'copy-of-ord-81' });
 * ```
 */
export interface ImportOptions {
  /** Another id for the exported run. Not possible if it has child runs, because they are found by its id. */
  readonly id?: string | undefined;
}

/**
 * What was imported.
 *
 * @example
 * ```ts
 * const { runId, imported } = await engine.import(bytes);
 * ```
 */
export interface ImportReport {
  /** The run that was exported. */
  readonly runId: string;
  /** The runs in the file: the run, its child runs, and the runs they were forked from. */
  readonly runs: number;
  /** Those of them that are new in this store. */
  readonly imported: number;
  /** Whether the export was redacted: such a run can be read but not continued. */
  readonly redacted: boolean;
}

/** How many records go into one commit. */
const partSize = 64;

/**
 * Imports an exported run. Everything is checked before anything becomes visible. A run that already exists with the same
 * content stays as it is. Nothing executes: an unfinished run is suspended, like a fork.
 *
 * @throws HOLDFAST_FOREIGN_FILE, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_ID_TAKEN, HOLDFAST_CONFLICT,
 * HOLDFAST_MISSING_KEY, HOLDFAST_TOO_LARGE
 */
export async function importRun(
  context: TrimContext,
  source: AsyncIterable<Uint8Array> | Uint8Array,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { id } = checkOptions('import()', options, { id: true });
  // What is plain in the file is encrypted here, so it may be plain there.
  const read = context.store.keyring?.read;
  const importing = new Importing(context, id === undefined ? undefined : checkRunId(id));
  // Bytes in memory can be read twice: an incomplete file is refused before anything is written.
  if (source instanceof Uint8Array) for await (const item of readExport(source, read)) importing.check(item);
  try {
    for await (const item of readExport(source, read)) await importing.take(item);
    await importing.checkRuns();
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CONFLICT')) await importing.undo();
    throw error;
  }
  return importing.show();
}

type Item = ReturnType<typeof readExport> extends AsyncGenerator<infer T> ? T : never;

/** An import in flight: its runs are drafts until `show`. */
class Importing {
  readonly #context: TrimContext;
  readonly #id: string | undefined;
  readonly #arrivals: RunArrival[] = [];
  #start: ExportStart = { root: '', redacted: false };
  #after = 0;
  #entries: NewEntry[] = [];
  /** The record that comes after the last one of the run. */
  #end: NewEntry | undefined;

  constructor(context: TrimContext, id: string | undefined) {
    this.#context = context;
    this.#id = id;
  }

  /** @throws HOLDFAST_INVALID_OPTION when the run cannot have another id */
  check(item: Item): void {
    if (item.type === 'start') this.#start = item;
    if (item.type === 'run' && this.#id !== undefined && item.moved.parentId === this.#start.root) {
      throw holdfastError(
        'HOLDFAST_INVALID_OPTION',
        `Run "${this.#start.root}" cannot be imported as "${this.#id}": it has the child run "${item.moved.runId}", which is found by its parent's id. Import it under its own id, into another store if necessary.`,
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
      case 'ids':
        return this.#arrivals.at(-1)?.take({ after: this.#after, entries: [], ids: item.ids });
      case 'record':
        this.#entries.push(item.entry);
        return this.#entries.length < partSize ? undefined : this.#flush();
      case 'snapshot':
        return this.#flush(item.snapshot);
      case 'whole':
        return this.#finish();
    }
  }

  /** Removes what was written. What a crash leaves stays hidden, and goes with the next import of the run. */
  async undo(): Promise<void> {
    for (const { isThere, moved } of this.#arrivals.toReversed())
      if (!isThere) await discardDraft(this.#context, moved.runId);
  }

  /** Reads every run while it is hidden: each record may be valid by itself, and all of them make no sense. */
  async checkRuns(): Promise<void> {
    const { store } = this.#context;
    for (const { isThere, moved } of this.#arrivals) {
      if (isThere) continue;
      if (moved.kind === 'journal') await checkCheckpoints(store, moved.runId);
      else await loadRun(store, moved);
    }
  }

  async show(): Promise<ImportReport> {
    for (const arrival of this.#arrivals) await arrival.show();
    const { root, redacted } = this.#start;
    const imported = this.#arrivals.filter(({ isThere }) => !isThere).length;
    return { runId: this.#id ?? root, runs: this.#arrivals.length, imported, redacted };
  }

  async #begin(exported: MovedRun): Promise<void> {
    const isRenamed = this.#id !== undefined && exported.runId === this.#start.root;
    // A parent knows the child run by its old id.
    const own = isRenamed ? { runId: this.#id, parentId: null } : {};
    this.#end = this.#endOf(exported);
    const ends = this.#end !== undefined;
    const header = ends ? ended(exported) : suspended(exported);
    const moved: MovedRun = { ...exported, ...own, header, head: exported.head + (ends ? 1 : 0) };
    await discardDraft(this.#context, moved.runId);
    this.#arrivals.push(await RunArrival.begin(this.#context.store, moved));
    this.#after = beginOf(moved);
  }

  /** The record that ends a redacted run, which lacks what it would need to continue. */
  #endOf({ kind, end, updatedAt, header: { status } }: MovedRun): NewEntry | undefined {
    const goesOn = kind === 'graph' && end === 'seen' && status !== 'completed' && status !== 'cancelled';
    if (!goesOn || !this.#start.redacted) return undefined;
    const payload = { status: 'cancelled', reason: 'the run was imported from a redacted file' };
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

/** Nobody executes an imported run until someone resumes or answers it. */
function suspended({ kind, end, header }: MovedRun): HeaderState {
  const isOver = kind === 'journal' || end === 'hidden' || hasEnded(header);
  return { ...header, status: isOver ? header.status : 'suspended', wakeAt: null };
}

function ended({ header }: MovedRun): HeaderState {
  return { ...header, status: 'cancelled', frontier: [], waits: [], wakeAt: null };
}
