import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from 'holdfast';
import { type ClaimRequest, type ClaimResult, defineStore, type StoreDriver } from 'holdfast/store';
import { openDriver } from '../../src/store/store.ts';

type Method = Exclude<keyof StoreDriver, 'capabilities' | 'watch' | 'close'>;

/** Takes the place of what is not counted. */
const idle = '';

/** Counts the calls of a store's drivers: over a network, each is a round trip. */
export class RoundTrips {
  readonly store: Store;
  readonly #log: string[] = [];
  readonly #looking = new AsyncLocalStorage<true>();

  constructor(inside: Store) {
    this.store = defineStore(async (env, how) => this.#counting(await openDriver(inside, env, how)));
  }

  /** What is asked while this is awaited, by others: what the test itself looks at is not counted. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = this.#log.length;
    await work();
    return this.#log.slice(before).filter((asked) => asked !== idle);
  }

  /** The test looks at something by itself. */
  look<T>(question: () => Promise<T>): Promise<T> {
    return this.#looking.run(true, question);
  }

  #counting(driver: StoreDriver): StoreDriver {
    const count =
      <A extends readonly unknown[], R>(method: Method, call: (...given: A) => Promise<R>) =>
      (...given: A): Promise<R> => {
        if (this.#looking.getStore() === undefined) this.#log.push(method);
        return call(...given);
      };
    return {
      capabilities: driver.capabilities,
      commit: count('commit', (batches) => driver.commit(batches)),
      resolveDoubt: count('resolveDoubt', (batch) => driver.resolveDoubt(batch)),
      load: count('load', (query) => driver.load(query)),
      records: count('records', (query) => driver.records(query)),
      snapshots: count('snapshots', (query) => driver.snapshots(query)),
      ids: count('ids', (query) => driver.ids(query)),
      runs: count('runs', (query) => driver.runs(query)),
      claim: (request) => this.#claim(driver, request),
      trim: count('trim', (plan) => driver.trim(plan)),
      watch: (listener) => driver.watch(listener),
      close: () => driver.close(),
    };
  }

  /** Heartbeats, duties and looking for due runs in vain are no part of any operation. */
  async #claim(driver: StoreDriver, request: ClaimRequest): Promise<ClaimResult> {
    const at = this.#log.push(`claim ${request.type}`) - 1;
    const result = await driver.claim(request);
    const isIdle = request.type === 'due' && result.claimed.length === 0;
    if (isIdle || request.type === 'heartbeat' || request.type === 'duty') this.#log[at] = idle;
    return result;
  }
}
