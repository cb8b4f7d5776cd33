/** Choices, taken one after the other from one generated number: cheap to make, and smaller when the number is. */
export class Dice {
  #rest: number;

  constructor(number: number) {
    this.#rest = number;
  }

  /** A number of at least 0 and below `sides`. */
  roll(sides: number): number {
    const rolled = this.#rest % sides;
    this.#rest = Math.floor(this.#rest / sides);
    return rolled;
  }

  /** True once in so many times; never when nothing is left to choose from. */
  oneIn(sides: number): boolean {
    return this.roll(sides) === sides - 1;
  }

  /** One of the choices, of which there is at least one. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.roll(choices.length)] as T;
  }
}
