interface OnceEffect {
  executions: number;
  /** Once, and once more for every failure that is known and every time that somebody wants it again. */
  allowed: number;
  isDone: boolean;
}

/** Effects that may happen once: outside of every process and store. */
export class OnceEffects {
  readonly #effects = new Map<string, OnceEffect>();
  /** Records that have allowed an effect to happen again. */
  readonly #settled = new Set<string>();

  /** Whether an effect has happened and did not fail. */
  happened(key: string): boolean {
    return this.#effects.get(key)?.isDone ?? false;
  }

  /** It happens; gives how often it has, and whether that is too often. */
  happens(key: string): { readonly executions: number; readonly isTooMany: boolean } {
    const effect = this.#effect(key);
    effect.executions += 1;
    effect.isDone = true;
    return { executions: effect.executions, isTooMany: effect.executions > effect.allowed };
  }

  /** It is known to have failed. */
  fails(key: string): void {
    const effect = this.#effect(key);
    effect.allowed += 1;
    effect.isDone = false;
  }

  /** Somebody wants it again: once for each record that says so, however often that is read. */
  allowAgain(key: string, record: string): void {
    if (!this.#settled.has(record)) this.#effect(key).allowed += 1;
    this.#settled.add(record);
  }

  #effect(key: string): OnceEffect {
    const effect = this.#effects.get(key) ?? { executions: 0, allowed: 1, isDone: false };
    this.#effects.set(key, effect);
    return effect;
  }
}
