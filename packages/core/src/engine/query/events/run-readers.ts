import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import type { EventsOptions, RunEvent } from '../../graph-run.ts';
import type { LiveBus } from './live-bus.ts';
import { type ChildPosition, formatCursor, parseCursor } from './position.ts';
import { RunReader } from './run-reader.ts';

interface ReadersOptions extends Pick<EventsOptions, 'after' | 'children'> {
  readonly store: CheckedStore;
  readonly live: LiveBus;
}

/** A run that is read, and how far it has been told of. */
interface Followed {
  readonly reader: RunReader;
  position: string;
  isKept: boolean;
}

/**
 * Reads the events of a run and, if they are wanted, of its child runs, at any depth.
 *
 * The event that tells of a child opens its reader, and the end of a completed child closes it. A cursor has the position of the
 * run and of every open child. So a child that is not in the cursor has completed if its parent told of it before the cursor, and
 * is still to come otherwise. A child that failed may be told of again when its parent is resumed: it stays open.
 */
export class RunReaders {
  readonly #options: ReadersOptions;
  readonly #own: Followed;
  readonly #children = new Map<string, Followed>();
  readonly #reading = new Set<Followed>();

  private constructor(options: ReadersOptions, reader: RunReader, position: string) {
    this.#options = options;
    this.#own = { reader, position, isKept: true };
  }

  /** @throws HOLDFAST_INVALID_CURSOR */
  static async open(options: ReadersOptions, header: RunHeader): Promise<RunReaders> {
    const { own, children } = parseCursor(options.after);
    const readers = new RunReaders(options, await RunReader.open(options, header, own), String(own));
    if (options.children !== true) return readers;
    try {
      for (const child of children) await readers.#open(child);
    } catch (error) {
      readers.close();
      throw error;
    }
    return readers;
  }

  get runId(): string {
    return this.#own.reader.runId;
  }

  get head(): number {
    return this.#own.reader.head;
  }

  get hasEnded(): boolean {
    return this.#own.reader.hasEnded;
  }

  get childIds(): Iterable<string> {
    return this.#children.keys();
  }

  /** Resolves when there is a live event to read. */
  next(): Promise<void> {
    return Promise.race(this.#all().map(({ reader }) => reader.next()));
  }

  close(): void {
    for (const { reader } of this.#all()) reader.close();
  }

  #all(): readonly Followed[] {
    return [this.#own, ...this.#children.values()];
  }

  /** The events that are new: of the run, then of its children, which include those that it has just told of. */
  async *read(header: RunHeader): AsyncGenerator<RunEvent> {
    yield* this.#readRun(this.#own, header);
    for (const child of this.#children.values()) yield* this.#readChild(child);
  }

  async *#readChild(child: Followed): AsyncGenerator<RunEvent> {
    const header = await this.#options.store.header(child.reader.runId);
    if (header === undefined) this.#closeChild(child);
    else yield* this.#readRun(child, header);
  }

  async *#readRun(run: Followed, header: RunHeader): AsyncGenerator<RunEvent> {
    // Runs of a corrupt store may wait for each other.
    if (this.#reading.has(run)) return;
    this.#reading.add(run);
    try {
      for await (const event of run.reader.read(header)) {
        // A child ends before its parent continues, and its events come first.
        const ended = event.type === 'wait-end' ? this.#children.get(event.wait) : undefined;
        if (ended !== undefined) yield* this.#readChild(ended);
        run.position = event.cursor;
        if (this.#options.children === true) await this.#follow(run, event);
        yield { ...event, cursor: this.#cursor() };
      }
    } finally {
      this.#reading.delete(run);
    }
  }

  /** Opens the reader of a child that the event tells of, or closes the one of a child that has completed. */
  async #follow(run: Followed, event: RunEvent): Promise<void> {
    if (event.type === 'wait' && event.wait.kind === 'child')
      await this.#open({ runId: event.wait.childId, position: '0', isKept: false });
    if (event.type !== 'run-end') return;
    if (event.status !== 'completed') run.isKept = true;
    if (!run.isKept) this.#closeChild(run);
  }

  async #open({ runId, position, isKept }: ChildPosition): Promise<void> {
    if (runId === this.runId || this.#children.has(runId)) return;
    const header = await this.#options.store.header(runId);
    if (header === undefined) return;
    this.#children.set(runId, { reader: await RunReader.open(this.#options, header, position), position, isKept });
  }

  #closeChild({ reader }: Followed): void {
    reader.close();
    this.#children.delete(reader.runId);
  }

  #cursor(): string {
    const { position } = this.#own;
    if (this.#children.size === 0) return position;
    const children = Array.from(this.#children, ([runId, child]) => ({ ...child, runId }));
    return formatCursor(position, children);
  }
}
