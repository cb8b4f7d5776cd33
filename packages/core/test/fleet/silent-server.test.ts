// A server whose machine is gone, or cut off, refuses nothing and answers nothing: TCP would notice after a quarter of an hour.
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../src/env/node-env.ts';
import type { CheckedStore } from '../../src/store/checked-store.ts';
import { postgresStoreAt } from '../../src/store/postgres/url.ts';
import { openStore } from '../../src/store/store.ts';
import { claimedIds, claimOne, commit, create, externalWriteOf, headerOf } from '../../src/testing/contract/given.ts';
import { giveBack, sql, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { PostgresProxy } from '../../src/testing/postgres/proxy/proxy.ts';
import { testServer } from '../../src/testing/postgres/server.ts';

const writes = /INSERT INTO "\w+"\.rows/u;
const asks = /pg_stat_activity/u;

interface SetUp {
  readonly hosts?: number;
  /** How long everything is tried: a lease. */
  readonly patienceMs?: number;
  readonly max?: number;
}

/** A store on a server with several addresses, each behind a proxy of its own, with a few connections to the first. */
async function setUp({ hosts = 1, patienceMs = 9_000, max = 4 }: SetUp = {}) {
  const server = await testServer();
  const proxies = await Promise.all(Array.from({ length: hosts }, () => PostgresProxy.before(server)));
  const schema = await takeSchema();
  const { username, password, pathname } = new URL(server);
  const login = password === '' ? username : `${username}:${password}`;
  const places = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgres://${login}@${places}${pathname}?schema=${schema}&max=${max}`;
  const store: CheckedStore = await openStore(postgresStoreAt(url), nodeEnv, { patienceMs });
  onTestFinished(async () => {
    for (const proxy of proxies) {
      proxy.fateOf = () => 'pass';
      proxy.cutAll();
    }
    await store.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await giveBack(schema);
  });
  const heard = new Promise<void>((resolve) => store.watch(() => resolve()));
  await heard;
  await Promise.all(['a', 'b', 'c'].map((id) => create(store, id)));
  // Some connections are idle from now on.
  await Promise.all(['a', 'b', 'c'].map((id) => headerOf(store, id)));
  return { store, schema, proxies, proxy: proxies[0] as PostgresProxy };
}

describe('a server that accepts connections and never answers', () => {
  test('holds a commit no longer than a part of the lease: it is made on another server, once', async () => {
    const { store, proxy } = await setUp({ hosts: 2 });
    proxy.fateOf = () => 'drop';
    await Promise.all(['a', 'b', 'c'].map((id) => commit(store, externalWriteOf(id, { expect: 1 }))));
    expect(await headerOf(store, 'a')).toMatchObject({ head: 2 });
    expect((await store.records({ runId: 'c', order: 'newest', limit: 9 })).map(({ seq }) => seq)).toEqual([2, 1]);
  });

  test('holds no claim longer either', async () => {
    const { store, proxy } = await setUp({ hosts: 2 });
    await create(store, 'due', { wakeAt: 1 });
    proxy.fateOf = () => 'drop';
    await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
    expect(claimedIds(await claimOne(store, 'w', 'due'))).toEqual(['due']);
  });

  test('fails a commit after a lease where there is no other one, and says so', async () => {
    const { store, proxy } = await setUp({ patienceMs: 1_500 });
    proxy.fateOf = () => 'drop';
    await expect(commit(store, externalWriteOf('a', { expect: 1 }))).rejects.toMatchObject({
      code: 'HOLDFAST_IN_DOUBT',
      cause: { details: { problem: expect.stringMatching(/unreachable|pool/u) } },
    });
  });
});

describe('connections whose sessions are gone, of which nobody was told', () => {
  test('are replaced: a commit is made once', async () => {
    const { store, proxy } = await setUp();
    expect(proxy.forget(/./u)).toBeGreaterThan(2);
    await commit(store, externalWriteOf('a', { expect: 1 }));
    expect(await headerOf(store, 'a')).toMatchObject({ head: 2 });
  });
});

describe('a statement that takes long', () => {
  test('is waited for as long as the server executes it', async () => {
    const { store, schema, proxy } = await setUp({ patienceMs: 600 });
    await sql(
      `CREATE OR REPLACE FUNCTION "${schema}".wait() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN WHILE NOT EXISTS (SELECT 1 FROM "${schema}".duties) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NEW; END'`,
    );
    await sql(
      `CREATE TRIGGER wait BEFORE UPDATE ON "${schema}".heads FOR EACH ROW EXECUTE FUNCTION "${schema}".wait()`,
    );
    const before = proxy.trips.length;
    const tripsOf = (which: RegExp): number => proxy.trips.slice(before).filter((sql) => which.test(sql ?? '')).length;
    const committed = commit(store, externalWriteOf('a', { expect: 1 }));
    // For longer than all patience.
    await expect.poll(() => tripsOf(asks)).toBeGreaterThan(4);
    await sql(`INSERT INTO "${schema}".duties VALUES ('go', 0)`);
    await committed;
    await sql(`DROP TRIGGER wait ON "${schema}".heads`);
    expect(await headerOf(store, 'a')).toMatchObject({ head: 2, epoch: 0 });
    expect(tripsOf(writes)).toBe(1);
  });
});
