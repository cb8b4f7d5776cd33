import type { Env } from '../../env/env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { loadSegments } from '../../journal/lineage.ts';
import { readPages } from '../../journal/read-entries.ts';
import type { Entry } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { newRunState, type RunState } from '../../runner/fold/run-state.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { Changes, Watch } from '../changes.ts';
import type { EventsOptions, RunEvent } from '../run.ts';
import type { EventBody, LiveBus, Subscription } from './live-bus.ts';
import { eventsOf } from './record-events.ts';

interface StreamOptions extends EventsOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly changes: Changes;
  readonly live: LiveBus;
  /** The run's header when reading begins. */
  readonly find: () => Promise<RunHeader>;
  /** Whether the run has ended or needs input to continue. */
  readonly isIdle: (header: RunHeader, onChild: (child: string) => void) => Promise<boolean>;
}

/** The record and event to start after. */
interface Position {
  readonly seq: number;
  readonly index: number;
}

/**
 * The events of a run: first from its journal, then live. Journalled events have no gaps and no duplicates. A slow reader
 * never delays the run, and reading never starts it.
 */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<RunEvent> {
  const { store, changes, live, signal } = options;
  const header = await options.find();
  const after = positionIn(header, options.after);
  const reader = new JournalReader(store, await stateBefore(store, header, after), after);
  const subscription = live.subscribe(header.runId);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const attention = changes.watch(header.runId);
      const found = await store.header(header.runId);
      if (found === undefined) return attention.forget();
      let hasNew = false;
      for await (const event of reader.read(found, subscription)) {
        hasNew = true;
        yield event;
      }
      if (hasNew || reader.head < found.head) {
        attention.forget();
        continue;
      }
      if (await isOver(options, reader, found, attention)) return attention.forget();
      await attention.next({ or: subscription.next(reader.head), atMostMs: waitMs(options, found), signal });
    }
  } finally {
    subscription.close();
  }
}

function waitMs({ env }: StreamOptions, { wakeAt }: RunHeader): number | undefined {
  if (wakeAt === null) return undefined;
  const ms = wakeAt - env.clock.now();
  return ms > 0 ? ms : undefined;
}

async function isOver(
  { isIdle, until }: StreamOptions,
  { state }: JournalReader,
  header: RunHeader,
  { also }: Watch,
): Promise<boolean> {
  if (state.end !== undefined && state.turns.length === 0) return true;
  return until === 'idle' && (await isIdle(header, also));
}

/** Follows a journal and turns its records into events. */
class JournalReader {
  state: RunState;
  readonly #store: CheckedStore;
  #after: Position;

  constructor(store: CheckedStore, state: RunState, after: Position) {
    this.#store = store;
    this.state = state;
    this.#after = after;
  }

  /** How much of the journal has been read. */
  get head(): number {
    return this.state.head;
  }

  async *read(header: RunHeader, subscription: Subscription): AsyncGenerator<RunEvent> {
    const segments = await loadSegments(this.#store, header);
    const pages = readPages({ store: this.#store, segments, order: 'oldest', after: this.state.head });
    for await (const { entries } of pages) {
      for (const entry of entries) {
        yield* this.#live(subscription, entry.seq - 1);
        yield* this.#ofEntry(entry);
      }
    }
    yield* this.#live(subscription, this.state.head);
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

  *#live(subscription: Subscription, seq: number): Generator<RunEvent> {
    const { events, lost } = subscription.take(seq);
    for (const [at, { body, time }] of events.entries()) {
      const event = this.#event(this.#after.seq, time, body);
      yield at === 0 && lost > 0 ? { ...event, lost } : event;
    }
  }

  #event(seq: number, at: number, body: EventBody): RunEvent {
    const { seq: last, index } = this.#after;
    const cursor = index === wholeRecord ? String(last) : `${last}.${index}`;
    return { cursor, seq, at: new Date(at), ...body };
  }
}

/** The run before the first record that may have an event. */
async function stateBefore(store: CheckedStore, header: RunHeader, { seq }: Position): Promise<RunState> {
  if (seq === 0) return newRunState(header.runId);
  const upTo = Math.min(seq - 1, header.head);
  return upTo === 0 ? newRunState(header.runId) : (await loadRun(store, header, { upTo })).state;
}

/** All events of a record. */
const wholeRecord = Number.MAX_SAFE_INTEGER;
const positionPattern = /^(\d{1,15})(?:\.(\d{1,9}))?$/;

/** A position past the end would wait for records that may never come, and miss those before them. @throws HOLDFAST_INVALID_CURSOR */
function positionIn({ runId, head }: RunHeader, after: string | number | undefined): Position {
  const position = parsePosition(after);
  if (position.seq <= head) return position;
  throw holdfastError(
    'HOLDFAST_INVALID_CURSOR',
    `Run "${runId}" has no event ${String(after)}: its journal ends at ${head}. Use the cursor of an event that you received from this run.`,
    { details: { runId, after, head } },
  );
}

/** Parses an event's cursor. A number is a record whose events were all read. @throws HOLDFAST_INVALID_CURSOR */
function parsePosition(after: string | number = 0): Position {
  const [text, seq, index] = positionPattern.exec(String(after)) ?? [];
  if (text !== undefined) return { seq: Number(seq), index: index === undefined ? wholeRecord : Number(index) };
  throw holdfastError(
    'HOLDFAST_INVALID_CURSOR',
    `${JSON.stringify(after)} is not the cursor of an event. Use the cursor of an event that you received.`,
  );
}
