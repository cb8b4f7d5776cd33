import { ApiError } from '../api-error.ts';
import { type Caller, callerKey } from '../caller/caller.ts';
import type { Limits } from '../limits.ts';

/** What one request takes of its caller's share. */
interface BodyShare {
  /** Takes so many bytes more. @throws ApiError */
  readonly take: (bytes: number) => void;
  /** Gives all of them back. */
  readonly end: () => void;
}

/** Counts the bytes of bodies that are in memory, by caller. */
export class Bodies {
  readonly #limits: Pick<Limits, 'bodyBytesPerCaller'>;
  readonly #byCaller = new Map<string, number>();

  constructor(limits: Pick<Limits, 'bodyBytesPerCaller'>) {
    this.#limits = limits;
  }

  /** A request begins. */
  begin(caller: Caller): BodyShare {
    const key = callerKey(caller);
    let own = 0;
    return {
      take: (bytes) => {
        if (this.#of(key) + bytes > this.#limits.bodyBytesPerCaller)
          throw new ApiError(503, 'HTTP_BUSY', 'You are sending too much at a time. Try again later.', {
            'retry-after': '1',
            connection: 'close',
          });
        own += bytes;
        this.#set(key, this.#of(key) + bytes);
      },
      end: () => {
        this.#set(key, this.#of(key) - own);
        own = 0;
      },
    };
  }

  #of(key: string): number {
    return this.#byCaller.get(key) ?? 0;
  }

  #set(key: string, bytes: number): void {
    if (bytes === 0) this.#byCaller.delete(key);
    else this.#byCaller.set(key, bytes);
  }
}
