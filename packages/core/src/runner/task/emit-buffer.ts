import { weigh } from '../../delta/weigh.ts';
import type { Env } from '../../env/env.ts';
import type { NewEntry } from '../../record/record.ts';
import type { EmittedItem } from '../fold/payload.ts';

const longestMs = 100;
const largestBytes = 8_192;

/** Buffers emitted values, so that a stream of tokens becomes a few records, not thousands. */
export class EmitBuffer {
  readonly #env: Env;
  readonly #flush: () => void;
  #items: EmittedItem[] = [];
  #bytes = 0;
  #timer: AbortController | undefined;

  constructor(env: Env, flush: () => void) {
    this.#env = env;
    this.#flush = flush;
  }

  add(item: EmittedItem): void {
    this.#items.push(item);
    this.#bytes += weigh(item.data);
    if (this.#bytes >= largestBytes) this.#flush();
    else this.#timer ??= this.#startTimer();
  }

  /** The record of the buffered values. Undefined if there are none. */
  take(): NewEntry | undefined {
    this.#timer?.abort();
    this.#timer = undefined;
    if (this.#items.length === 0) return undefined;
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    return { kind: 'emit', at: this.#env.clock.now(), payload: { items } };
  }

  #startTimer(): AbortController {
    const timer = new AbortController();
    this.#env.clock.sleep(longestMs, timer.signal).then(
      () => this.#flush(),
      () => undefined,
    );
    return timer;
  }
}
