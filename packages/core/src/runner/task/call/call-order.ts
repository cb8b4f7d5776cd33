import type { Env } from '../../../env/env.ts';
import type { CallMemo, CallResult } from '../../fold/run-state.ts';

interface Replay {
  readonly order: number;
  readonly settle: () => void;
}

/**
 * Settles the calls of an attempt in journal order, one event-loop tick apart, so that a race has the same winner when the
 * body runs again.
 */
export class CallOrder {
  readonly #env: Env;
  /** What the body waits for, in journal order. */
  readonly #replays: Replay[] = [];
  /** Recorded results that the body has not asked for yet. */
  #unread: number;
  /** Live results so far. */
  #count = 0;
  /** The last live result that still waits. */
  #pending: Promise<void> | undefined;
  /** Whether a live result was delivered in this tick. */
  #isRecent = false;

  constructor(env: Env, calls: ReadonlyMap<string, CallMemo> | undefined) {
    this.#env = env;
    this.#unread = 0;
    for (const { result } of calls?.values() ?? []) if (result !== undefined) this.#unread += 1;
  }

  /** Settles a call with its recorded result, after the calls before it. */
  replay({ order }: CallResult, settle: () => void): void {
    this.#unread -= 1;
    const at = this.#replays.findLastIndex((replay) => replay.order <= order) + 1;
    this.#replays.splice(at, 0, { order, settle });
    if (this.#replays.length === 1) this.#env.nextTick(() => this.#replayNext());
  }

  #replayNext(): void {
    const replay = this.#replays.shift();
    if (this.#replays.length > 0) this.#env.nextTick(() => this.#replayNext());
    replay?.settle();
  }

  /** Resolves when all recorded results are delivered: live results must not overtake them. */
  async caughtUp(): Promise<void> {
    if (this.#unread <= 0 && this.#replays.length === 0) return;
    do await this.#turn();
    while (this.#replays.length > 0);
  }

  /** What `admit` needs to know about a call that begins. */
  begin(): number {
    return this.#count;
  }

  /**
   * Call it when the result of a live call is journalled, with the value of `begin`. Deliver the result when the promise
   * resolves, or at once if it is undefined.
   */
  admit(begun: number, durable?: Promise<void>): Promise<void> | undefined {
    const before = this.#pending;
    const isCrowded = this.#isRecent && begun < this.#count;
    this.#count += 1;
    if (before === undefined && durable === undefined && !isCrowded) {
      this.#given();
      return undefined;
    }
    const mine = this.#wait(before, durable, isCrowded).finally(() => {
      if (this.#pending === mine) this.#pending = undefined;
      this.#given();
    });
    this.#pending = mine;
    // Its caller gets the error. There may be no later call to handle it.
    mine.catch(() => undefined);
    return mine;
  }

  async #wait(
    before: Promise<void> | undefined,
    durable: Promise<void> | undefined,
    isCrowded: boolean,
  ): Promise<void> {
    await before;
    if (before !== undefined || isCrowded) await this.#turn();
    await durable;
  }

  #given(): void {
    if (this.#isRecent) return;
    this.#isRecent = true;
    this.#env.nextTick(() => {
      this.#isRecent = false;
    });
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#env.nextTick(resolve));
  }
}
