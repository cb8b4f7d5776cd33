import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { claimDue, claimedIds, claimOne, create } from '../../../testing/contract/given.ts';
import { interceptedPool } from '../../../testing/postgres/failing-pool.ts';
import { giveBack, sql, storeIn, takeSchema, testPool } from '../../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../../checked-store.ts';
import { openDriver } from '../../store.ts';

/** A run that the worker `w` leases, whose lease ends; it renews it before the others' statement that matches. */
async function setUp(before: RegExp) {
  const schema = await takeSchema();
  let isOver = false;
  const late = interceptedPool(await testPool(), async ({ text }, execute) => {
    if (!isOver && before.test(text)) {
      isOver = true;
      await mine.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
    }
    return execute();
  });
  const mine = new CheckedStore(await openDriver(storeIn(schema), nodeEnv), nodeEnv);
  const theirs = new CheckedStore(await openDriver(storeIn(schema, late), nodeEnv), nodeEnv);
  onTestFinished(async () => {
    await mine.close();
    await theirs.close();
    await giveBack(schema);
  });
  await create(mine, 'run', { wakeAt: 1 });
  await claimOne(mine, 'w', 'run');
  await sql(`UPDATE "${schema}".leases SET until = 0`);
  return { theirs, wasRenewed: () => isOver };
}

describe('a worker that renews its lease after others found its run', () => {
  test('keeps it from those that ask for any run', async () => {
    const { theirs, wasRenewed } = await setUp(/SKIP LOCKED/u);
    expect(claimedIds(await claimDue(theirs, 'other'))).toEqual([]);
    expect(wasRenewed()).toBe(true);
    expect((await theirs.header('run'))?.worker).toBe('w');
  });

  test('keeps it from those that ask for this one', async () => {
    const { theirs, wasRenewed } = await setUp(/FOR UPDATE/u);
    expect(claimedIds(await claimOne(theirs, 'other', 'run'))).toEqual([]);
    expect(wasRenewed()).toBe(true);
    expect((await theirs.header('run'))?.worker).toBe('w');
  });
});
