/** Does work in the order in which it was asked for, each when the one before has ended, however that ended. */
export class OneAtATime {
  /** The last work that was asked for, and how much of it is unfinished. */
  #last: Promise<void> = Promise.resolve();
  #unfinished = 0;

  get isBusy(): boolean {
    return this.#unfinished > 0;
  }

  /** Starts at once if nothing is in flight, otherwise afterwards. */
  run(work: () => Promise<void>): Promise<void> {
    this.#unfinished += 1;
    const mine = (): Promise<void> => this.#do(work);
    this.#last = this.#unfinished === 1 ? mine() : this.#last.then(mine, mine);
    return this.#last;
  }

  async #do(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** Resolves when all that was asked for has ended. */
  async settled(): Promise<void> {
    // Its caller gets the error.
    await this.#last.catch(() => undefined);
  }
}
