import type { RunState } from '../../runner/fold/run-state.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import { tooMany } from '../../value/bounds.ts';

/** Whatever has a store, and so its bounds. */
interface Bounded {
  readonly store: CheckedStore;
}

/** What a run has been sent and has not read: messages, turns, and answers that no question has taken. */
function queuedIn({ messages, turns, answers, waits }: RunState): number {
  let count = turns.length + answers.size;
  for (const queue of messages.values()) count += queue.length;
  for (const { unchecked } of waits.values()) count += unchecked.length;
  return count;
}

/** Refuses one more when the queue of a run is full. @throws HOLDFAST_TOO_MANY */
export function checkRoom({ store }: Bounded, state: RunState): void {
  const { queuedMessages } = store.bounds;
  const queued = queuedIn(state);
  if (queued < queuedMessages) return;
  throw tooMany('queuedMessages', queuedMessages, `Run "${state.runId}" has ${queued} messages that it has not read.`);
}

/** Remembers the queues of at most this many runs. */
const mostKept = 1_000;

interface Counted {
  readonly head: number;
  readonly queued: number;
}

/**
 * The room in the queues of runs, without reading them at every message: the queue grows by at most one with every record.
 * A run is counted again only when it may have become full since it was last counted.
 */
export class QueueRoom {
  readonly #counted = new Map<string, Counted>();

  /** Refuses one more message when the queue is full. `load` reads the run. @throws HOLDFAST_TOO_MANY */
  async check(
    parts: Bounded,
    { runId, head }: { readonly runId: string; readonly head: number },
    load: () => Promise<RunState>,
  ): Promise<void> {
    const { queuedMessages } = parts.store.bounds;
    const { head: since, queued } = this.#counted.get(runId) ?? { head: 0, queued: 0 };
    if (queued + head - since < queuedMessages) return;
    const state = await load();
    checkRoom(parts, state);
    this.#keep(runId, { head: state.head, queued: queuedIn(state) });
  }

  #keep(runId: string, counted: Counted): void {
    this.#counted.delete(runId);
    this.#counted.set(runId, counted);
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > mostKept && oldest !== undefined) this.#counted.delete(oldest);
  }
}
