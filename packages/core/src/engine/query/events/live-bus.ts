import type { EmittedItem, TaskPlace } from '../../../runner/fold/payload.ts';
import { taskKey } from '../../../runner/fold/run-state.ts';
import type { Live } from '../../../runner/host.ts';
import type { RunLease } from '../../../runner/run-lease.ts';
import type { RunEvent, TaskEvent } from '../../graph-run.ts';

/** A live event, seen only by current listeners. `seq` is the last record before it. */
export interface LiveEvent {
  readonly seq: number;
  readonly time: number;
  readonly body: EventBody;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event without its position. */
export type EventBody = DistributiveOmit<RunEvent, 'cursor' | 'runId' | 'seq' | 'at' | 'lost'>;

/** A reader that falls further behind loses the oldest events. */
const maxWaiting = 1_000;

/** The events that one reader has not read yet. */
export class Subscription {
  readonly #forget: () => void;
  #waiting: LiveEvent[] = [];
  #wake: (() => void) | undefined;
  /** How many events were lost since the last read. */
  #lost = 0;

  constructor(forget: (subscription: Subscription) => void) {
    this.#forget = () => forget(this);
  }

  push(event: LiveEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > maxWaiting) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#wake?.();
  }

  /** The events before the record after `seq`, oldest first, and how many before them were lost. */
  take(seq: number): { readonly events: readonly LiveEvent[]; readonly lost: number } {
    const later = this.#waiting.findIndex((event) => event.seq > seq);
    const events = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    const lost = events.length === 0 ? 0 : this.#lost;
    if (events.length > 0) this.#lost = 0;
    return { events, lost };
  }

  /**
   * Resolves when there is an event up to this record, or a new one. Queued events that belong after a record in flight
   * do not count: the event loop must stay free to commit that record.
   */
  next(seq: number): Promise<void> {
    const [first] = this.#waiting;
    if (first !== undefined && first.seq <= seq) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  close(): void {
    this.#forget();
  }
}

/** Delivers live events to listeners in this process. Costs nothing without listeners. */
export class LiveBus {
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  subscribe(runId: string): Subscription {
    const all = this.#subscriptions.get(runId) ?? new Set();
    this.#subscriptions.set(runId, all);
    const subscription = new Subscription((each) => {
      all.delete(each);
      if (all.size === 0) this.#subscriptions.delete(runId);
    });
    all.add(subscription);
    return subscription;
  }

  /** What an executor reports. */
  of(owned: RunLease): Live {
    const { runId } = owned.state;
    const publish = (body: () => EventBody): void => {
      const all = this.#subscriptions.get(runId);
      if (all === undefined) return;
      const event = { seq: owned.state.head, time: this.#now(), body: body() };
      for (const subscription of all) subscription.push(event);
    };
    const place = (task: TaskPlace, attempt: number): TaskEvent<string> =>
      taskEvent(owned.state.superstep + 1, task, attempt);
    return {
      task: ({ spec, attempt }, what) =>
        publish(() => ({
          ...place(spec.place, attempt),
          type: what === 'start' ? 'node-start' : 'node-end',
          replayed: what === 'replayed',
        })),
      step: ({ name, n = 0, ...task }, attempt, what) =>
        publish(() => ({
          ...place(task, attempt),
          type: what === 'start' ? 'step-start' : 'step-end',
          step: name,
          call: n,
          replayed: what === 'replayed',
        })),
      emit: (item) => publish(() => emitEvent(owned.state.superstep + 1, item)),
    };
  }
}

/** The event of an emitted value. */
export function emitEvent(superstep: number, { step, n, attempt = 1, began, data, ...place }: EmittedItem): EventBody {
  const call = step === undefined ? undefined : (n ?? 0);
  return { ...taskEvent(superstep, place, attempt), type: 'emit', step, call, execution: began, data };
}

/** The fields that all events of a task share. */
export function taskEvent(superstep: number, place: TaskPlace, attempt: number): TaskEvent<string> {
  const { node, item, of = 0 } = place;
  return {
    node,
    task: `${superstep}/${taskKey(place)}`,
    attempt,
    ...(item !== undefined && { item: { index: item, of } }),
  };
}
