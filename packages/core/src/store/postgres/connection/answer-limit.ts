import type { Clock } from '../../../time/clock.ts';

/** What is known of a statement whose answer is late. */
export type Verdict = 'executed' | 'lost' | 'unknown';

interface Waiting extends Pick<LateOptions, 'bytes' | 'verdict'> {
  ticks: number;
  isAsked: boolean;
  readonly giveUp: () => void;
}

interface AnswerLimitOptions {
  readonly clock: Clock;
  /** How long callers try. An answer may be late after a third of that, so that there is time to ask elsewhere. */
  readonly patienceMs: number;
}

interface LateOptions {
  /** How much is sent: a slow network needs time for it. */
  readonly bytes: () => number;
  /** Asked when the answer is late. */
  readonly verdict: () => Promise<Verdict>;
  /** Called when nobody waits for the answer any more. */
  readonly onSilence?: () => void;
}

const ticksPerLimit = 4;
const limitsPerPatience = 3;
const slowestBytesPerMs = 1_000;

/**
 * Gives up waiting for a server that does not answer: its machine may be gone, and TCP would notice only after a quarter of an
 * hour. Time is counted in ticks of the event loop, for all at once: a process that stood still reads its answers first, and
 * a statement costs no timer.
 */
export class AnswerLimit {
  /** After this long, an answer is late. */
  readonly limitMs: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  #isCounting = false;

  constructor({ clock, patienceMs }: AnswerLimitOptions) {
    this.#clock = clock;
    this.limitMs = patienceMs / limitsPerPatience;
  }

  /** The answer. @throws when it is late, unless the server is still at work; when nobody knows, after the whole patience */
  within<T>(answer: Promise<T>, { bytes, verdict, onSilence }: LateOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        onSilence?.();
        reject(silence());
      };
      const waiting: Waiting = { ticks: 0, isAsked: false, bytes, verdict, giveUp };
      this.#waiting.add(waiting);
      const over = (): boolean => this.#waiting.delete(waiting);
      answer.then(
        (value) => {
          over();
          resolve(value);
        },
        (error: unknown) => {
          over();
          reject(error);
        },
      );
      if (!this.#isCounting) void this.#count();
    });
  }

  async #count(): Promise<void> {
    this.#isCounting = true;
    while (this.#waiting.size > 0) {
      await this.#clock.sleep(this.limitMs / ticksPerLimit, undefined, { background: true });
      for (const waiting of this.#waiting) {
        waiting.ticks += 1;
        if (!waiting.isAsked && this.#isLate(waiting, 1)) void this.#judge(waiting);
      }
    }
    this.#isCounting = false;
  }

  #isLate({ ticks, bytes }: Waiting, limits: number): boolean {
    const most = ticksPerLimit * limits;
    return ticks > most && ticks > most * (1 + bytes() / slowestBytesPerMs / this.limitMs);
  }

  async #judge(waiting: Waiting): Promise<void> {
    waiting.isAsked = true;
    const verdict = await waiting.verdict();
    waiting.isAsked = false;
    if (verdict === 'executed') waiting.ticks = 0;
    const isOver = verdict === 'lost' || this.#isLate(waiting, limitsPerPatience);
    if (isOver && this.#waiting.delete(waiting)) waiting.giveUp();
  }
}

/** Nobody answers. */
export function silence(): Error {
  return new Error('the server does not answer');
}
