import { loadRun } from '../../runner/fold/load-run.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';

/** A run as it was at the end of a record. */
export interface StatePlace {
  readonly header: RunHeader;
  readonly seq: number;
}

/** What there is to know of a place; none of it is for changing. */
export interface SharedState {
  readonly state: Readonly<RunState>;
  /** The seq of the last checkpoint up to there. @throws HOLDFAST_NOT_FOUND */
  readonly checkpoint: () => Promise<number>;
}

interface Held {
  readonly shared: Promise<SharedState>;
  users: number;
}

/**
 * States that several callers look at at once: loaded once, and let go of with the last of them. A thousand forks of one
 * place would otherwise hold its state a thousand times.
 */
export class SharedStates {
  readonly #store: CheckedStore;
  readonly #checkpointSeq: (place: StatePlace) => Promise<number>;
  readonly #held = new Map<string, Held>();

  /** `checkpointSeq` finds the last checkpoint up to a place. */
  constructor(store: CheckedStore, checkpointSeq: (place: StatePlace) => Promise<number>) {
    this.#store = store;
    this.#checkpointSeq = checkpointSeq;
  }

  /** Gives the state to `look`, and keeps it for others as long as that takes. */
  async use<T>(place: StatePlace, look: (shared: SharedState) => Promise<T>): Promise<T> {
    const { header, seq } = place;
    // A run that was deleted and made anew under its id is another one.
    const key = `${header.runId}@${seq} ${header.createdAt}`;
    const held = this.#held.get(key) ?? { shared: this.#load(place), users: 0 };
    this.#held.set(key, held);
    held.users += 1;
    try {
      return await look(await held.shared);
    } finally {
      held.users -= 1;
      if (held.users === 0) this.#held.delete(key);
    }
  }

  async #load(place: StatePlace): Promise<SharedState> {
    const { state } = await loadRun(this.#store, place.header, { upTo: place.seq });
    let checkpoint: Promise<number> | undefined;
    return {
      state,
      checkpoint: () => {
        checkpoint ??= this.#checkpointSeq(place);
        return checkpoint;
      },
    };
  }
}
