import type { Batch, BatchResult } from '../../store/contract/commit.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import { InFlight } from '../../store/live/in-flight.ts';
import type { Clock } from '../../time/clock.ts';

/** When late commits arrive. */
export interface LateOptions {
  /** So long after their error, by the clock that the store was opened with; default 30 ms. */
  readonly lateMs?: number | undefined;
  /** Called instead for every late commit: it arrives when `arrive` is called, and has arrived when that resolves. */
  readonly onLate?: ((arrive: () => Promise<void>) => void) | undefined;
}

const defaultLateMs = 30;

/** Commits that arrive at the driver after their error: as a server executes what a broken connection had sent. */
export class LateCommits {
  readonly #inside: StoreDriver;
  readonly #options: LateOptions & { readonly clock: Clock };
  readonly #commits = new InFlight();
  readonly #due = new Set<() => Promise<void>>();
  #arriving: Promise<void> | undefined;

  constructor(inside: StoreDriver, options: LateOptions & { readonly clock: Clock }) {
    this.#inside = inside;
    this.#options = options;
  }

  /** Commits now, but never beside a late commit: a driver does not take one run twice at the same time. */
  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    while (this.#arriving !== undefined) await this.#arriving;
    return this.#commits.count(() => this.#inside.commit(batches));
  }

  commitLater(batches: readonly Batch[]): void {
    const arrive = async (): Promise<void> => {
      if (!this.#due.delete(arrive)) return;
      const arriving = this.#arrive(batches, this.#arriving);
      this.#arriving = arriving;
      await arriving;
      if (this.#arriving === arriving) this.#arriving = undefined;
    };
    this.#due.add(arrive);
    const { onLate, clock, lateMs = defaultLateMs } = this.#options;
    if (onLate !== undefined) onLate(arrive);
    else void clock.sleep(lateMs).then(arrive);
  }

  /** Lets everything arrive that is still to come: nothing is asked of a driver that was closed. */
  async settle(): Promise<void> {
    for (const arrive of this.#due) await arrive();
    await this.#arriving;
  }

  /** Nobody hears what becomes of it. */
  async #arrive(batches: readonly Batch[], before: Promise<void> | undefined): Promise<void> {
    await before;
    await this.#commits.none();
    await this.#inside.commit(batches).catch(() => undefined);
  }
}
