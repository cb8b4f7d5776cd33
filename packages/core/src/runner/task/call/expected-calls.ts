import { isRecorded } from '../../fold/call/made-calls.ts';
import type { CallMemo } from '../../fold/run-state.ts';

/** A recorded call that the body was expected to make. */
export interface MissedCall {
  /** Its type, name and occurrence. */
  readonly key: string;
  readonly call: CallMemo;
}

/** The recorded calls that a body has not made yet. They are how changed code is noticed. */
export class ExpectedCalls {
  readonly #required = new Map<string, CallMemo>();
  readonly #optional = new Set<string>();

  constructor(calls: ReadonlyMap<string, CallMemo>) {
    for (const [key, call] of calls) {
      if (!isRecorded(call)) continue;
      if (call.isOptional === true) this.#optional.add(key);
      else this.#required.set(key, call);
    }
  }

  /** Whether there is something that the body has not asked for. */
  get isEmpty(): boolean {
    return this.#required.size === 0 && this.#optional.size === 0;
  }

  /** Calls that the body may leave out, and has not made. */
  get optional(): readonly string[] {
    return [...this.#optional];
  }

  /** The body has made this call. */
  made(key: string): void {
    if (!this.#required.delete(key)) this.#optional.delete(key);
  }

  /**
   * Recorded calls that a body which has been given so many results would have made by now, if it were the body that was
   * recorded. Calls that it made later may depend on results that are still to come.
   */
  missed(given: number): readonly MissedCall[] {
    const missed: MissedCall[] = [];
    for (const [key, call] of this.#required) if (call.after <= given) missed.push({ key, call });
    return missed;
  }

  /** The same for a body that has ended or waits. One that has ended will never ask for the effects of a failed attempt. */
  left(given: number, how: 'ended' | 'waits'): readonly MissedCall[] {
    const missed = this.missed(given);
    if (how === 'waits') return missed;
    const never = [...this.#required].filter(([, call]) => call.isOfFailedAttempt === true && call.after > given);
    return [...missed, ...never.map(([key, call]) => ({ key, call }))];
  }
}
