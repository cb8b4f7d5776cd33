import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimDue, claimedIds, create, live } from '../../testing/contract/given.ts';
import { inDirectory, openAt, stillEnv } from '../../testing/sqlite/sqlite-places.ts';

describe('claim()', () => {
  test('considers a worker of another start of the machine dead', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      const before = await openAt(path, stillEnv().env);
      await live(before.store, 'old');
      await create(before.store, 'run', { worker: 'old', wakeAt: 1 });
      // Another clock, and so another start.
      const after = await openAt(path);
      expect(claimedIds(await claimDue(after.store, 'new'))).toEqual(['run']);
      for (const { store } of [before, after]) await store.close();
    });
  });
});
