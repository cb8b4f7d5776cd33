import { seededRandom } from '../../src/testing/seeded-random.ts';
import { ProcessTable } from './process-table.ts';
import { TraceHash } from './trace-hash.ts';

/** Who an event belongs to: nothing of a process happens while it is paused, and nothing at all when it has died. */
export interface Owner {
  readonly name: string;
  isDead: boolean;
  pausedUntilMs: number;
}

interface Event {
  atMs: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
}

/** The way to the store: requests that a process has sent continue without it. */
export const network: Owner = { name: 'net', isDead: false, pausedUntilMs: 0 };

/** Where the time of every simulated world begins. */
export const beginningMs: number = Date.parse('2026-01-01T00:00:00Z');

/** So many events are handed to Node at once; it lets promises settle after each of them. */
const eventsPerBatch = 64;

/**
 * One queue of events for all processes of a simulation, and the time that goes with it. Whatever happens is an event of
 * one process and what its promises do before the next event, so that the same seed gives the same world.
 */
export class World {
  readonly random: () => number;
  readonly trace: TraceHash = new TraceHash();
  readonly processes: ProcessTable;
  readonly #heap: Event[] = [];
  #nowMs = 0;
  #order = 0;
  #events = 0;
  #current: Owner | undefined;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    // Of every other world, so that what happens in the rest does not depend on it.
    this.processes = new ProcessTable({ isVisible: seed % 2 === 1, clock: this });
  }

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Whose event happens. */
  get current(): Owner | undefined {
    return this.#current;
  }

  get events(): number {
    return this.#events;
  }

  /** A whole number of at least 0 and below `n`. */
  below(n: number): number {
    return Math.floor(this.random() * n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** Lets something happen after so long. */
  after(owner: Owner, delayMs: number, run: () => void): void {
    this.#order += 1;
    this.#push({ atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, owner, run });
  }

  /** Lets events happen until it is over, or so much time has passed; false: it was not over. */
  run(isOver: () => boolean, limits: { readonly untilMs: number; readonly events: number }): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let ended = false;
      const end = (settle: () => void): void => {
        ended = true;
        settle();
      };
      const turn = (): void => {
        if (ended) return;
        try {
          if (isOver()) return end(() => resolve(true));
          if (this.#nowMs > limits.untilMs || this.#events > limits.events || this.#heap.length === 0) {
            return end(() => resolve(false));
          }
          this.#next();
        } catch (error) {
          end(() => reject(error));
        }
      };
      const batch = (): void => {
        for (let count = 0; count < eventsPerBatch; count += 1) setImmediate(turn);
        setImmediate(() => {
          if (!ended) batch();
        });
      };
      batch();
    });
  }

  #next(): void {
    const event = this.#pop();
    const { owner } = event;
    if (owner.isDead) return;
    if (owner.pausedUntilMs > event.atMs) {
      // In their old order, all at once: a process that wakes up does not know that it was away.
      event.atMs = owner.pausedUntilMs;
      this.#push(event);
      return;
    }
    this.#nowMs = event.atMs;
    this.#current = owner;
    this.#events += 1;
    this.trace.add(owner.name, event.atMs);
    event.run();
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(event, heap[above] as Event)) break;
      heap[at] = heap[above] as Event;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): Event {
    const heap = this.#heap;
    const first = heap[0] as Event;
    const last = heap.pop() as Event;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) below += 1;
      if (!isBefore(heap[below] as Event, last)) break;
      heap[at] = heap[below] as Event;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
