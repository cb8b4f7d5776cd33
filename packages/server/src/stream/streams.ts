import { ApiError } from '../api-error.ts';
import type { Limits } from '../limits.ts';

/** Counts the event streams that are open, in all and by caller. */
export class Streams {
  readonly #limits: Pick<Limits, 'streams' | 'streamsPerCaller'>;
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor(limits: Pick<Limits, 'streams' | 'streamsPerCaller'>) {
    this.#limits = limits;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts one more, until the result is called. @throws ApiError */
  begin(by: string): () => void {
    const own = this.#byCaller.get(by) ?? 0;
    if (this.#open >= this.#limits.streams || own >= this.#limits.streamsPerCaller)
      throw new ApiError(503, 'HTTP_TOO_MANY_STREAMS', 'Too many event streams are open. Close one, or try later.', {
        'retry-after': '5',
      });
    this.#open += 1;
    this.#byCaller.set(by, own + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      const left = (this.#byCaller.get(by) ?? 1) - 1;
      if (left === 0) this.#byCaller.delete(by);
      else this.#byCaller.set(by, left);
    };
  }
}
