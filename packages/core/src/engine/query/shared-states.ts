import type { RunState } from '../../runner/fold/run-state.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';

/** A run as it was at the end of a record. */
export interface StatePlace {
  readonly header: RunHeader;
  readonly seq: number;
}

/** A state that callers share. Never change it. */
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
 * Shares a state between callers that read it at the same time: it is loaded once, and dropped after the last caller.
 * A thousand forks of one checkpoint would otherwise load a thousand copies.
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

  /** Calls `look` with the state, and shares the state with other callers until it returns. */
  async use<T>(place: StatePlace, look: (shared: SharedState) => Promise<T>): Promise<T> {
    const { header, seq } = place;
    // A run that was deleted and created again under the same id is a different run.
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
