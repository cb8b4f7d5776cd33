import { expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { interceptedPool, lostConnection } from '../../../testing/postgres/failing-pool.ts';
import { giveBack, sql, storeIn, takeSchema, testPool } from '../../../testing/postgres/postgres-places.ts';
import { openDriver } from '../../store.ts';
import { Database } from '../connection/database.ts';
import { Presence } from './presence.ts';

test('says that its connection is lost, however many others were lost with it', async () => {
  const schema = await takeSchema();
  let cuts = 0;
  const pool = interceptedPool(await testPool(), async ({ text }, execute) => {
    if (!text.includes('SET lock = NULL') || cuts === 3) return execute();
    cuts += 1;
    throw lostConnection();
  });
  const driver = await openDriver(storeIn(schema), nodeEnv);
  const kept = await (await testPool()).connect();
  onTestFinished(async () => {
    kept.release(true);
    await driver.close();
    await giveBack(schema);
  });
  await driver.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
  const presence = new Presence(new Database({ pool, schema, named: false, env: nodeEnv }));
  presence.began('w');
  await presence.connected(kept);
  const lock = (): Promise<unknown> => sql(`SELECT lock IS NULL FROM "${schema}".leases`);
  expect(await lock()).toEqual([[false]]);
  await presence.lost();
  expect(cuts).toBe(3);
  expect(await lock()).toEqual([[true]]);
});
