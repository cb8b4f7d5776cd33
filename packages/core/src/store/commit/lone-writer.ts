import type { Env } from '../../env/env.ts';

/** After so many groups of one in a row, whoever writes is taken to be alone. */
const calmAfter = 4;
/** After so long the event loop has its turn, before whoever writes goes on. */
const mostMs = 10;

/**
 * Tells whether a commit has anything to wait for. One that goes at once saves the turn of the event loop, and with it
 * everything that was in the processor's caches; but where runs write side by side, the turn is what brings them together
 * in one group. So only a run goes at once that has been alone for some time, and only until another one comes.
 */
export class LoneWriter {
  readonly #env: Pick<Env, 'nextTick' | 'monotonicMs'>;
  #calm = 0;
  /** The run that writes in this turn, and since when. */
  #runId: string | undefined;
  #since = 0;

  constructor(env: Pick<Env, 'nextTick' | 'monotonicMs'>) {
    this.#env = env;
  }

  /** A group was made, of so many commits. */
  sawGroup(size: number): void {
    this.#calm = size === 1 ? this.#calm + 1 : 0;
  }

  /** Whether this commit can go at once; to be asked once a commit. */
  isAlone(runId: string): boolean {
    if (this.#calm < calmAfter) return false;
    if (this.#runId === undefined) this.#beginTurn(runId);
    if (this.#runId !== runId) this.#calm = 0;
    return this.#runId === runId;
  }

  /** Whether commits have gone at once for so long that the event loop is to have its turn. */
  get isOverdue(): boolean {
    return this.#env.monotonicMs() - this.#since >= mostMs;
  }

  #beginTurn(runId: string): void {
    this.#runId = runId;
    this.#since = this.#env.monotonicMs();
    this.#env.nextTick(() => {
      this.#runId = undefined;
    });
  }
}
