import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { CheckedStore } from '../store/checked-store.ts';
import type { StoreDriver } from '../store/contract/driver.ts';
import { openDriver } from '../store/store.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { seededRandom } from './seeded-random.ts';
import type { CreatePlace, StorePlace } from './store-place.ts';
import { virtualClock } from './virtual-clock.ts';

const start = new Date('2026-01-01T00:00:00Z');

/** An open driver and the checked store above it. */
export interface Opened {
  readonly driver: StoreDriver;
  /** The driver as its author made it, without what the test put around it. */
  readonly bare: StoreDriver;
  readonly store: CheckedStore;
}

interface BenchOptions {
  readonly create: CreatePlace;
  /** Stands between the checked store and the driver. */
  readonly wrap?: ((driver: StoreDriver) => StoreDriver) | undefined;
  readonly seed?: number | undefined;
  /** The checked store encrypts with these. */
  readonly keyring?: Keyring | undefined;
  /** Whoever waits does not have to: for backoffs on a clock that nobody moves. */
  readonly waitsNever?: boolean | undefined;
}

/** One test's place: opened, with a world around it in which time moves only when told to. */
export class Bench {
  readonly env: Env;
  readonly place: StorePlace;
  readonly #advanceClock: (ms: number) => Promise<void>;
  readonly #wrap: (driver: StoreDriver) => StoreDriver;
  readonly #keyring: Keyring | undefined;
  readonly #open = new Set<Opened>();
  #current: Opened | undefined;

  private constructor(place: StorePlace, options: BenchOptions) {
    const { wrap = (driver) => driver, seed = 1, keyring, waitsNever = false } = options;
    const clock = virtualClock(start);
    this.env = {
      ...nodeEnv,
      clock: waitsNever ? { now: () => clock.now(), sleep: () => new Promise(nodeEnv.nextTick) } : clock,
      random: seededRandom(seed),
      monotonicMs: () => clock.now() - start.getTime(),
      warn: () => {},
    };
    this.place = place;
    this.#wrap = wrap;
    this.#keyring = keyring;
    this.#advanceClock = (ms) => clock.advance(ms);
  }

  /** Sets up a fresh place for the body, and clears it away whatever becomes of the body. */
  static async use<T>(options: BenchOptions, body: (bench: Bench) => Promise<T>): Promise<T> {
    const bench = new Bench(await options.create(), options);
    try {
      await bench.reopen();
      const result = await body(bench);
      for (const { store } of bench.#open) await store.close();
      return result;
    } catch (error) {
      // What failed first is what the test is about.
      for (const { store } of bench.#open) await store.close().catch(() => {});
      throw error;
    } finally {
      await bench.place.destroy?.();
    }
  }

  get driver(): StoreDriver {
    return (this.#current as Opened).driver;
  }

  get store(): CheckedStore {
    return (this.#current as Opened).store;
  }

  /** Opens the place once more, beside what is open. */
  async openAnother(): Promise<Opened> {
    const bare = await openDriver(this.place.store, this.env);
    const driver = this.#wrap(bare);
    const opened = { driver, bare, store: new CheckedStore(driver, this.env, { keyring: this.#keyring }) };
    this.#open.add(opened);
    return opened;
  }

  /** Closes what is current and opens the place again. */
  async reopen(): Promise<void> {
    const before = this.#current;
    if (before !== undefined) {
      this.#open.delete(before);
      await before.store.close();
    }
    this.#current = await this.openAnother();
  }

  /** Crashes what is current, where the place can, or closes it; and opens the place again. */
  async crash(): Promise<void> {
    if (this.place.crash === undefined) return this.reopen();
    await this.#drop(this.place.crash);
  }

  /** Lets the process of what is current die where others see it, and opens the place again. Only where the place can. */
  async kill(): Promise<void> {
    await this.#drop(this.place.kill as NonNullable<StorePlace['kill']>);
  }

  async #drop(how: NonNullable<StorePlace['crash']>): Promise<void> {
    const before = this.#current as Opened;
    this.#open.delete(before);
    await how(before.bare);
    this.#current = await this.openAnother();
  }

  /** The time that the store's leases and wake times go by. */
  async now(): Promise<number> {
    return this.place.time === undefined ? this.env.clock.now() : this.place.time.now();
  }

  async advance(ms: number): Promise<void> {
    await this.#advanceClock(ms);
    await this.place.time?.advance(ms);
  }
}
