import { weigh } from '../../delta/weigh.ts';
import type { State } from './saved-checkpoint.ts';

/** Two of the largest states fit; a state of an agent is usually far smaller. */
const defaultBytes = 32 * 1_024 * 1_024;

/** A state that was saved. */
interface Saved {
  readonly key: string;
  readonly state: State;
  /** The state that it was compared with and that nobody needs any more. */
  readonly follows?: string | undefined;
}

/** The states that were saved last, to compare the next ones with: frozen copies of our own, up to so many bytes. */
export class RecentStates {
  readonly #most: number;
  /** Least recently used first. */
  readonly #states = new Map<string, { readonly runId: string; readonly state: State }>();
  /** The key of the last one of each run. */
  readonly #last = new Map<string, string>();
  #bytes = 0;

  constructor(most: number = defaultBytes) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): State | undefined {
    const found = this.#states.get(key);
    if (found === undefined) return undefined;
    this.#states.delete(key);
    this.#states.set(key, found);
    return found.state;
  }

  /** The state of the run that was put last, which the next one may resemble. */
  lastOf(runId: string): State | undefined {
    const key = this.#last.get(runId);
    return key === undefined ? undefined : this.#states.get(key)?.state;
  }

  /** Keeps a state in place of the one that it follows. */
  put(runId: string, { key, state, follows }: Saved): void {
    if (follows !== undefined) this.#drop(follows);
    this.#states.set(key, { runId, state });
    this.#last.set(runId, key);
    this.#bytes += weigh(state);
    for (const oldest of this.#states.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const found = this.#states.get(key);
    if (found === undefined) return;
    this.#states.delete(key);
    this.#bytes -= weigh(found.state);
    if (this.#last.get(found.runId) === key) this.#last.delete(found.runId);
  }
}
