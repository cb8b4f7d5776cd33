/** Counts the calls in flight, so that a close can wait for them. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Counts until the returned function is called, once. */
  begin(): () => void {
    this.#count += 1;
    return this.#end;
  }

  /** Counts the call until its promise has settled. */
  async count<T>(call: () => Promise<T>): Promise<T> {
    const done = this.begin();
    try {
      return await call();
    } finally {
      done();
    }
  }

  readonly #end = (): void => {
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  };

  /** Resolves when none is in flight. */
  async none(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
