/** Lets one call after the other change the store: what one has checked is still so when it writes. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(call: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before.then(call, call);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
