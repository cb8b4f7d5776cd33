import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create } from '../../testing/contract/given.ts';
import { rowObjects } from '../../testing/sqlite/row-objects.ts';
import { inDirectory, openRaw } from '../../testing/sqlite/sqlite-places.ts';
import { CheckedStore } from '../checked-store.ts';
import type { RunHeader } from '../contract/run.ts';
import { openDriver } from '../store.ts';
import { sqliteStore } from './open.ts';

describe('runs()', () => {
  test('gives pages that end between runs of one time, also with a driver that gives rows as objects', async () => {
    await inDirectory(async (directory) => {
      const database = rowObjects(await openRaw(join(directory, 'store.db')));
      const store = new CheckedStore(await openDriver(sqliteStore(database), nodeEnv), nodeEnv);
      for (const runId of ['c', 'a', 'd', 'b']) await create(store, runId, { tags: { team: 'red' }, frontier: ['x'] });
      for (const filter of [{}, { tags: { team: 'red' } }, { node: 'x' }]) {
        const page = async (after: RunHeader | undefined): Promise<readonly RunHeader[]> =>
          store.runs({ ...filter, order: 'newest', limit: 3, after });
        const first = await page(undefined);
        expect(first.map(({ runId }) => runId)).toEqual(['d', 'c', 'b']);
        expect((await page(first.at(-1))).map(({ runId }) => runId)).toEqual(['a']);
      }
      await store.close();
      database.close();
    });
  });
});
