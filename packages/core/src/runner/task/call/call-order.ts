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
  /** Results that the body was given, replayed or live. */
  #given = 0;
  /** Live results so far, and results that were replayed while others were live. */
  #count = 0;
  #hasLive = false;
  /** The last live result that still waits. */
  #pending: Promise<void> | undefined;
  /** Whether a live result was delivered in this tick. */
  #isRecent = false;

  constructor(env: Env, calls: ReadonlyMap<string, CallMemo> | undefined) {
    this.#env = env;
    this.#unread = 0;
    for (const { result } of calls?.values() ?? []) if (result !== undefined) this.#unread += 1;
  }

  /** How many results the body has been given. */
  get given(): number {
    return this.#given;
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
    if (this.#hasLive) this.#count += 1;
    this.#give();
    replay?.settle();
  }

  /** Resolves when all recorded results are delivered: live results must not overtake them. */
  async caughtUp(): Promise<void> {
    if (this.#unread <= 0 && this.#replays.length === 0) return;
    await this.settled();
  }

  /** Resolves when the body has done all it can with the recorded results that it has asked for. */
  async settled(): Promise<void> {
    do await this.#turn();
    while (this.#replays.length > 0);
  }

  /** What `admit` needs to know about a call that begins. */
  begin(): number {
    this.#hasLive = true;
    return this.#count;
  }

  /**
   * Call it when the result of a live call is journalled, with the value of `begin`. Deliver the result when the promise
   * resolves, or at once if it is undefined.
   */
  admit(begun: number, durable?: Promise<void>): Promise<void> | undefined {
    const before = this.#pending;
    const isCrowded = this.#replays.length > 0 || (this.#isRecent && begun < this.#count);
    this.#count += 1;
    if (before === undefined && durable === undefined && !isCrowded) {
      this.#give();
      return undefined;
    }
    const mine = this.#wait(before, durable, isCrowded).finally(() => {
      if (this.#pending === mine) this.#pending = undefined;
      this.#give();
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
    // A result of an earlier attempt, which the body has asked for meanwhile, comes first when the body runs again.
    while (this.#replays.length > 0) await this.#turn();
  }

  #give(): void {
    this.#given += 1;
    if (this.#isRecent || !this.#hasLive) return;
    this.#isRecent = true;
    this.#env.nextTick(() => {
      this.#isRecent = false;
    });
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#env.nextTick(resolve));
  }
}
