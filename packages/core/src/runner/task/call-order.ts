import type { Env } from '../../env/env.ts';
import type { CallMemo, CallResult } from '../fold/run-state.ts';

interface Replay {
  readonly order: number;
  readonly settle: () => void;
}

/**
 * The order in which the calls of a try settle: that of the journal, a turn of the event loop apart. So whoever won a
 * race wins it again when the body runs again.
 */
export class CallOrder {
  readonly #env: Env;
  readonly #replays: Replay[] = [];
  /** Recorded results that the body has not asked for yet. */
  #unread: number;
  /** Live results so far. */
  #count = 0;
  /** The last live result that still waits for its turn. */
  #pending: Promise<void> | undefined;
  /** A live result was given in this turn. */
  #isRecent = false;

  constructor(env: Env, calls: ReadonlyMap<string, CallMemo> | undefined) {
    this.#env = env;
    this.#unread = 0;
    for (const { result } of calls?.values() ?? []) if (result !== undefined) this.#unread += 1;
  }

  /** Settles a call with what it came to before, when those before it have settled. */
  replay({ order }: CallResult, settle: () => void): void {
    this.#unread -= 1;
    this.#replays.push({ order, settle });
    if (this.#replays.length === 1) this.#env.nextTick(() => this.#replayNext());
  }

  #replayNext(): void {
    let first = 0;
    this.#replays.forEach(({ order }, at) => {
      if (order < (this.#replays[first] as Replay).order) first = at;
    });
    const [replay] = this.#replays.splice(first, 1);
    if (this.#replays.length > 0) this.#env.nextTick(() => this.#replayNext());
    replay?.settle();
  }

  /** Resolves when what is known has been given back: what happens only now must not overtake it. */
  async caughtUp(): Promise<void> {
    if (this.#unread <= 0 && this.#replays.length === 0) return;
    do await this.#turn();
    while (this.#replays.length > 0);
  }

  /** What `admit` wants to know of a call that begins. */
  begin(): number {
    return this.#count;
  }

  /**
   * Call it as the result of a live call is put into the journal, with what `begin` gave. The result may be given to the
   * body when the promise resolves, at once for undefined.
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
    // Whoever waits for it is told of the failure; those behind it may have gone.
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
