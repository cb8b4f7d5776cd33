import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { settledWithin } from '../../time/settled-within.ts';
import type { HintListener, StoreDriver, StoreWithin } from '../contract/driver.ts';
import { faultOf, reason, storeFault } from '../store-fault.ts';
import { InFlight } from './in-flight.ts';
import { Outage } from './outage.ts';
import { Patience } from './patience.ts';
import { reopenDriver } from './reopen-driver.ts';

interface LiveDriverOptions {
  readonly env: Env;
  /** Reopens the store after a failure that the driver cannot recover from. Without it, the user has to. */
  readonly reopen?: (() => Promise<StoreDriver>) | undefined;
  /** How long a transient fault is retried. */
  readonly patienceMs: number;
}

/** When a call may be repeated after a transient fault. */
export type Repeats = 'always' | 'without-effect' | 'never';

/** A driver that can fail permanently and be replaced by a new one of the same store. It is open, poisoned or closed. */
export class LiveDriver {
  /** Whether the store has stopped answering: for a third of the patience at least, a heartbeat. */
  readonly outage: Outage;
  readonly #env: Env;
  readonly #reopen: LiveDriverOptions['reopen'];
  readonly #patienceMs: number;
  readonly #calls = new InFlight();
  readonly #closed = new AbortController();
  /** The watchers, and how to stop each one. */
  readonly #watching = new Map<HintListener, () => void>();
  #driver: StoreDriver;
  #poisoned: HoldfastError | undefined;
  #reopening: Promise<void> | undefined;
  #isClosing = false;

  constructor(driver: StoreDriver, { env, reopen, patienceMs }: LiveDriverOptions) {
    this.#driver = driver;
    this.#env = env;
    this.#reopen = reopen;
    this.#patienceMs = patienceMs;
    this.outage = new Outage(env, patienceMs / 3);
  }

  /** @throws HOLDFAST_STORE_CLOSED, HOLDFAST_STORE_POISONED */
  checkUsable(): void {
    if (this.#isClosing) throw holdfastError('HOLDFAST_STORE_CLOSED', 'The store is closed. Open it again to use it.');
    if (this.#poisoned) throw this.#poisoned;
  }

  get transacts(): boolean {
    return this.#driver.transact !== undefined;
  }

  /** The store inside a transaction of the user. Undefined if the driver has none. */
  within(client: object): StoreWithin | undefined {
    this.checkUsable();
    return this.#driver.within?.(client);
  }

  /** How long to retry a call that begins now. */
  patience(): Patience {
    return new Patience(this.#env, this.#patienceMs, this.#closed.signal);
  }

  /** Calls the driver once. The caller handles its errors. */
  async call<T>(work: (driver: StoreDriver) => Promise<T>): Promise<T> {
    if (this.#poisoned) throw this.#poisoned;
    const askedMs = this.#env.monotonicMs();
    const done = this.#calls.begin();
    try {
      const answer = await work(this.#driver);
      this.outage.answered(askedMs);
      return answer;
    } catch (error) {
      this.outage.failed();
      throw error;
    } finally {
      done();
    }
  }

  /** Calls the driver. Retries transient faults if the call is repeatable. */
  async ask<T>(question: (driver: StoreDriver) => Promise<T>, repeats: Repeats = 'always'): Promise<T> {
    const patience = this.patience();
    for (;;) {
      try {
        return await this.call(question);
      } catch (error) {
        const fault = faultOf(error);
        if (fault.poisoned) this.poison(fault.cause);
        const mayRepeat = repeats === 'always' || (repeats === 'without-effect' && fault.effect === 'none');
        if (mayRepeat && fault.transient && (await patience.waitsAgain())) continue;
        throw HoldfastError.is(error) ? error : storeFault(fault);
      }
    }
  }

  /** The driver can no longer be trusted: stops calling it, and opens a new one. */
  poison(cause: unknown): void {
    if (this.#poisoned !== undefined) return;
    const next = this.#reopen === undefined ? 'Close it and open it again.' : 'It is being reopened: try again later.';
    this.#poisoned = holdfastError(
      'HOLDFAST_STORE_POISONED',
      `The store failed and cannot be trusted (${reason(cause)}). ${next}`,
      { cause },
    );
    if (this.#reopen !== undefined) this.#reopening = this.#openAgain(this.#reopen);
  }

  /** Resolves with true once the driver can be called again, or false if that takes longer than the patience lasts. */
  async usableWithin(patience: Patience): Promise<boolean> {
    if (this.#poisoned === undefined) return !this.#isClosed;
    if (this.#reopening === undefined) return false;
    await settledWithin(this.#reopening, { clock: this.#env.clock, ms: patience.leftMs, signal: this.#closed.signal });
    return this.#poisoned === undefined && !this.#isClosed;
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  watch(listener: HintListener): () => void {
    this.checkUsable();
    this.#watching.set(listener, this.#driver.watch(listener));
    return () => {
      this.#watching.get(listener)?.();
      this.#watching.delete(listener);
    };
  }

  /** Refuses calls from now on. */
  beginClose(): void {
    this.#isClosing = true;
  }

  /** Stops retrying and reopening, waits for the calls in flight, and closes the store. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#calls.none();
    await this.#reopening;
    // Reopening has already closed it.
    if (this.#reopening !== undefined) return;
    try {
      await this.#driver.close();
    } catch (error) {
      throw HoldfastError.is(error) ? error : storeFault(faultOf(error));
    }
  }

  /** Continues with a new driver of the same store. Until then, calls are refused. */
  async #openAgain(open: () => Promise<StoreDriver>): Promise<void> {
    await this.#calls.none();
    const { signal } = this.#closed;
    try {
      this.#driver = await reopenDriver({ driver: this.#driver, open, env: this.#env, signal });
    } catch {
      return;
    }
    for (const listener of this.#watching.keys()) this.#watching.set(listener, this.#driver.watch(listener));
    this.#poisoned = undefined;
    this.#reopening = undefined;
    // Hints may have been lost meanwhile.
    for (const listener of this.#watching.keys()) listener(undefined);
  }
}
