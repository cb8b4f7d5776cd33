import type { Dice } from './dice.ts';

interface Pending {
  readonly arrive: () => Promise<void>;
  calls: number;
}

/** Lets late commits arrive some calls after their error. */
export class LateArrivals {
  readonly #dice: Dice;
  #pending: Pending[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  add(arrive: () => Promise<void>): void {
    this.#pending.push({ arrive, calls: this.#dice.roll(7) });
  }

  /** The driver is called. */
  countCall(): void {
    for (const each of this.#pending) each.calls -= 1;
    const due = this.#pending.filter(({ calls }) => calls < 0);
    this.#pending = this.#pending.filter(({ calls }) => calls >= 0);
    for (const { arrive } of due) void arrive();
  }

  /** Lets all of them arrive. */
  async flush(): Promise<void> {
    for (const { arrive } of this.#pending.splice(0)) await arrive();
  }
}
