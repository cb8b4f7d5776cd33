import { ApiError } from '../api-error.ts';
import { type Caller, callerKey } from '../caller/caller.ts';
import type { Limits } from '../limits.ts';

type StreamLimits = Pick<Limits, 'streams' | 'streamsPerCaller' | 'unreadBytes' | 'unreadBytesPerCaller'>;

/** What one stream of a caller may use. */
export interface StreamShare {
  /** How many bytes may wait for the reader: fewer, the more streams the caller has. */
  readonly unreadBytes: () => number;
  /** Called when the stream has ended in any way. */
  readonly end: () => void;
}

/** Counts the event streams that are open, in all and by caller. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts one more, until it ends. @throws ApiError */
  begin(of: Pick<Caller, 'by' | 'scope'>): StreamShare {
    const caller = callerKey(of);
    const { streams, streamsPerCaller, unreadBytes, unreadBytesPerCaller } = this.#limits;
    if (this.#open >= streams || this.#of(caller) >= streamsPerCaller)
      throw new ApiError(503, 'HTTP_TOO_MANY_STREAMS', 'Too many event streams are open. Close one, or try later.', {
        'retry-after': '5',
      });
    this.#add(caller, 1);
    let isOpen = true;
    return {
      unreadBytes: () => Math.min(unreadBytes, Math.floor(unreadBytesPerCaller / Math.max(this.#of(caller), 1))),
      end: () => {
        if (isOpen) this.#add(caller, -1);
        isOpen = false;
      },
    };
  }

  #of(caller: string): number {
    return this.#byCaller.get(caller) ?? 0;
  }

  #add(caller: string, count: 1 | -1): void {
    this.#open += count;
    const own = this.#of(caller) + count;
    if (own === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, own);
  }
}
