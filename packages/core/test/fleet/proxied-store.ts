import type { Store } from 'holdfast';
import { defineStore, type StoreDriver } from 'holdfast/store';
import { postgresStoreAt } from '../../src/store/postgres/url.ts';
import { openDriver } from '../../src/store/store.ts';
import { giveBack, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { PostgresProxy } from '../../src/testing/postgres/proxy/proxy.ts';
import { testServer } from '../../src/testing/postgres/server.ts';

/** A store on the server for tests, behind a proxy. */
export interface ProxiedStore {
  readonly store: Store;
  readonly schema: string;
  readonly proxy: PostgresProxy;
  /** The statements of the round trips that the work takes, without those that go on beside it. */
  readonly tripsOf: (work: () => Promise<unknown>) => Promise<readonly string[]>;
}

const background =
  /pg_notify|^LISTEN|INSERT INTO \S+leases|pg_is_in_recovery|"leases"|pg_try_advisory_lock|[.]leases SET lock/u;

/** Logging in, hints, heartbeats and the lock that shows that a worker lives belong to no operation. */
export function isBackground(sql: string | undefined): boolean {
  return sql === undefined || background.test(sql);
}

/** Opens a proxy, and a store behind it in a schema of its own. */
export async function openProxied(onEnd: (end: () => Promise<void>) => unknown): Promise<ProxiedStore> {
  const proxy = await PostgresProxy.before(await testServer());
  const schema = await takeSchema();
  onEnd(async () => {
    await proxy.close();
    await giveBack(schema);
  });
  const url = new URL(await testServer());
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  url.searchParams.set('schema', schema);
  const tripsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = proxy.trips.length;
    await work();
    return proxy.trips.slice(before).filter((sql): sql is string => !isBackground(sql));
  };
  return { store: postgresStoreAt(url.href), schema, proxy, tripsOf };
}

/** The store, whose drivers are changed. */
export function changedStore(change: (driver: StoreDriver) => StoreDriver): (store: Store) => Store {
  return (store) => defineStore(async (env, how) => change(await openDriver(store, env, how)));
}
