/** Tells when runs are finished that a worker of the same process executes: nobody waits for the next look at their result. */
export class Finished {
  #runs = new Map();
  #count = 0;

  /**
   * Starts a run, and gives how many milliseconds its steps took, without what it waited for a worker that polls.
   * @param {number} steps @param {(id: string) => Promise<unknown>} start @returns {Promise<number>}
   */
  async of(steps, start) {
    this.#count += 1;
    const id = `run-${this.#count}`;
    const told = new Promise((resolve) => this.#runs.set(id, resolve));
    await start(id);
    const { n, ms } = await told;
    if (n !== steps) throw new Error(`The peer did ${n} steps of ${steps}.`);
    return ms;
  }

  /** @param {string} id @param {{ n: number, ms: number }} end */
  tell(id, end) {
    this.#runs.get(id)?.(end);
    this.#runs.delete(id);
  }
}
