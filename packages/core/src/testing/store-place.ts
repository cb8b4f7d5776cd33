import type { StoreDriver } from '../store/contract/driver.ts';
import type { Store } from '../store/store.ts';

/** The time that a store's leases and wake times go by, where that is not the clock it is opened with. */
export interface StoreTime {
  /** Milliseconds since 1970. Stands still until it is advanced. */
  now(): Promise<number>;
  /** Lets so much time pass at once. */
  advance(ms: number): Promise<void>;
}

/** One fresh and empty place for a store under test. It is opened, closed and opened again, always with the same `Env`. */
export interface StorePlace {
  readonly store: Store;
  /** For a store whose clock is not `env.clock`, such as a database's own. */
  readonly time?: StoreTime | undefined;
  /** Drops an open driver as if its process had died; without it, only closing is tested. */
  readonly crash?: ((driver: StoreDriver) => Promise<void>) | undefined;
  /**
   * Like `crash`, and whoever looks for the process of the driver finds that it is dead; without it, nobody tests whether
   * the store notices deaths.
   */
  readonly kill?: ((driver: StoreDriver) => Promise<void>) | undefined;
  /** Makes the header of a run unreadable while no driver is asked; without it, corrupt headers are not tested. */
  readonly corrupt?: ((runId: string) => Promise<void>) | undefined;
  /** Clears the place away after its test. */
  readonly destroy?: (() => Promise<void>) | undefined;
}

/** Makes a place; called once a test. */
export type CreatePlace = () => StorePlace | Promise<StorePlace>;
