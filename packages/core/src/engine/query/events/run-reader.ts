import type { Segment } from '../../../history/lineage.ts';
import { readPages } from '../../../journal/read-entries.ts';
import { loadSegments } from '../../../journal/run-journal.ts';
import type { Entry } from '../../../record/record.ts';
import { foldRecord } from '../../../runner/fold/fold-record.ts';
import { newRunState, type RunState } from '../../../runner/fold/run-state.ts';
import { loadRun } from '../../../runner/load-run.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import type { RunEvent } from '../../graph-run.ts';
import type { EventBody, LiveBus, Subscription } from './live-bus.ts';
import { formatPosition, type Position, positionIn } from './position.ts';
import { eventsOf } from './record-events.ts';

interface ReaderOptions {
  readonly store: CheckedStore;
  readonly live: LiveBus;
}

/** Follows the journal and the live events of one run, and turns them into events. */
export class RunReader {
  readonly runId: string;
  state: RunState;
  readonly #store: CheckedStore;
  readonly #subscription: Subscription;
  #after: Position;

  private constructor({ store, live }: ReaderOptions, state: RunState, after: Position) {
    this.runId = state.runId;
    this.state = state;
    this.#store = store;
    this.#after = after;
    this.#subscription = live.subscribe(state.runId);
  }

  /** Opens a reader at a position. Close it. @throws HOLDFAST_INVALID_CURSOR */
  static async open(options: ReaderOptions, header: RunHeader, after: string | number): Promise<RunReader> {
    const position = positionIn(header, after);
    return new RunReader(options, await stateBefore(options.store, header, position), position);
  }

  /** How much of the journal has been read. */
  get head(): number {
    return this.state.head;
  }

  /** The run has ended, and no turn waits. */
  get hasEnded(): boolean {
    return this.state.end !== undefined && this.state.turns.length === 0;
  }

  /** Resolves when there is a live event to read. */
  next(): Promise<void> {
    return this.#subscription.next(this.head);
  }

  close(): void {
    this.#subscription.close();
  }

  /** The events that are new. */
  async *read(header: RunHeader): AsyncGenerator<RunEvent> {
    const segments = await loadSegments(this.#store, header);
    const floor = floorOf(segments);
    if (floor > this.head) await this.#passPruned(header, floor);
    const pages = readPages({ store: this.#store, segments, order: 'oldest', after: this.head });
    for await (const { entries } of pages) {
      for (const entry of entries) {
        // Somebody prunes meanwhile.
        if (entry.seq !== this.head + 1) await this.#passPruned(header, entry.seq - 1);
        yield* this.#live(entry.seq - 1);
        yield* this.#ofEntry(entry);
      }
    }
    yield* this.#live(this.head);
  }

  /** The records up to here were pruned, and their events with them. @throws HOLDFAST_CORRUPT if they are missing instead */
  async #passPruned(header: RunHeader, floor: number): Promise<void> {
    this.state = (await loadRun(this.#store, header, { upTo: floor })).state;
  }

  *#ofEntry(entry: Entry): Generator<RunEvent> {
    const bodies = eventsOf(this.state, entry);
    foldRecord(this.state, entry);
    for (const [index, body] of bodies.entries()) {
      if (entry.seq < this.#after.seq || (entry.seq === this.#after.seq && index <= this.#after.index)) continue;
      this.#after = { seq: entry.seq, index };
      yield this.#event(entry.seq, entry.at, body);
    }
  }

  *#live(seq: number): Generator<RunEvent> {
    const { events, lost } = this.#subscription.take(seq);
    for (const [at, { body, time }] of events.entries()) {
      const event = this.#event(this.#after.seq, time, body);
      yield at === 0 && lost > 0 ? { ...event, lost } : event;
    }
  }

  #event(seq: number, at: number, body: EventBody): RunEvent {
    return { cursor: formatPosition(this.#after), runId: this.runId, seq, at: new Date(at), ...body };
  }
}

/** The run before the first record that may have an event; the beginning if what was before that record was pruned. */
async function stateBefore(store: CheckedStore, header: RunHeader, { seq }: Position): Promise<RunState> {
  const upTo = Math.min(seq - 1, header.head);
  if (upTo <= 0 || upTo < floorOf(await loadSegments(store, header))) return newRunState(header.runId);
  try {
    return (await loadRun(store, header, { upTo })).state;
  } catch (error) {
    const now = await store.header(header.runId);
    if (now !== undefined && upTo < floorOf(await loadSegments(store, now))) return newRunState(header.runId);
    throw error;
  }
}

/** Up to where the records of a run, or of the runs it was forked from, were pruned. */
function floorOf(segments: readonly Segment[]): number {
  return segments.at(-1)?.floor ?? 0;
}
