import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { verifyStore } from '../../journal/verify.ts';
import { commit, create, note, notes, ownerOf, refused, seqsOf, snapshotOf } from '../../testing/contract/given.ts';
import { failingDatabase, sqliteError } from '../../testing/sqlite/failing-database.ts';
import { inDirectory, openAt, openRaw, stillEnv } from '../../testing/sqlite/sqlite-places.ts';
import type { Commit } from '../check/check-commit.ts';
import { CheckedStore } from '../checked-store.ts';
import { setUpDatabase } from './set-up-database.ts';
import { SqliteDriver } from './sqlite-driver.ts';

interface Watched {
  readonly store: CheckedStore;
  readonly path: string;
  /** Whether each commit since the last look was a statement of its own or in a transaction. */
  readonly ways: () => readonly ('alone' | 'transaction')[];
  /** Makes statements of their own fail from now on. */
  readonly fail: (error: Error | undefined) => void;
  /** Makes what they need fail to be set up. */
  readonly failSetUp: (error: Error | undefined) => void;
}

/** A store whose statements are watched, with a run that a worker holds. */
async function watched(body: (given: Watched) => Promise<void>, { borrowed = false } = {}): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const database = await openRaw(path);
    const ways: ('alone' | 'transaction')[] = [];
    let failure: Error | undefined;
    let setUpFailure: Error | undefined;
    const look = (sql: string): Error | undefined => {
      if (sql.startsWith('BEGIN IMMEDIATE')) ways.push('transaction');
      if (sql.startsWith('CREATE TEMP')) return setUpFailure;
      if (!/^INSERT INTO holdfast_(marked_)?steps/.test(sql)) return undefined;
      if (failure === undefined) ways.push('alone');
      return failure;
    };
    await setUpDatabase({ database, env: nodeEnv, durability: 'full' });
    const giveBack = borrowed ? () => {} : undefined;
    const driver = new SqliteDriver({ database: failingDatabase(database, look), env: stillEnv().env, giveBack });
    const store = new CheckedStore(driver, nodeEnv);
    try {
      await create(store, 'run', { worker: 'worker' });
      ways.length = 0;
      await body({
        store,
        path,
        ways: () => ways.splice(0),
        fail: (error) => (failure = error),
        failSetUp: (error) => (setUpFailure = error),
      });
    } finally {
      await store.close();
      if (borrowed) database.close();
    }
  });
}

function step(head: number, more: Partial<Commit> = {}): Commit {
  return { ...ownerOf('run', { expect: head, fence: 1, entries: notes(1) }), ...more };
}

async function marksIn(path: string): Promise<unknown[]> {
  const database = await openRaw(path);
  const marks = database.prepare('SELECT seq FROM marks ORDER BY seq').all() as { readonly seq: number }[];
  database.close();
  return marks.map(({ seq }) => seq);
}

describe('a step that comes alone', () => {
  test('is one statement, and is found by everybody', async () => {
    await watched(async ({ store, path, ways }) => {
      for (let head = 1; head < 60; head += 1) await commit(store, step(head));
      expect(ways()).toEqual(Array.from({ length: 59 }, () => 'alone'));

      const other = await openAt(path);
      expect(await seqsOf(other.store, 'run')).toHaveLength(60);
      expect(await other.store.header('run')).toMatchObject({ head: 60, fence: 1 });
      expect((await verifyStore(other.store)).corruption).toEqual([]);
      await other.store.close();
    });
  });

  test('is in the file when it is acknowledged', async () => {
    await watched(async ({ store, path, ways }) => {
      await commit(store, step(1));
      expect(ways()).toEqual(['alone']);
      const copy = `${path}.copy`;
      await copyFile(path, copy);
      await copyFile(`${path}-wal`, `${copy}-wal`);
      const other = await openAt(copy);
      expect(await seqsOf(other.store, 'run')).toEqual([1, 2]);
      await other.store.close();
    });
  });

  test('goes in a transaction where it takes more than a row and a head', async () => {
    await watched(async ({ store, ways }) => {
      await commit(store, step(1, { entries: [note('chosen', 'mine')] }));
      await commit(store, step(2, { snapshot: snapshotOf(3) }));
      await commit(store, step(3, { header: { status: 'waiting' } }));
      await commit(store, step(4, { entries: notes(59) }));
      expect(ways()).toEqual(['transaction', 'transaction', 'transaction', 'alone']);
    });
  });

  test('sets the mark that every 64th record has', async () => {
    await watched(async ({ store, path, ways }) => {
      await commit(store, step(1, { entries: notes(61) }), step(62), step(63), step(64, { entries: notes(90) }));
      expect(ways()).toEqual(['alone', 'alone', 'alone', 'alone']);
      expect(await marksIn(path)).toEqual([64, 154]);
      // Whoever comes to a row that has to have a mark looks for it.
      expect((await verifyStore(store)).corruption).toEqual([]);
    });
  });

  test('keeps its frontier, or takes another', async () => {
    await watched(async ({ store, path, ways }) => {
      const other = await openAt(path);
      const frontier = async (): Promise<unknown> => (await other.store.header('run'))?.frontier;
      await commit(store, step(1, { header: { frontier: ['a'] } }));
      ways();
      await commit(store, step(2, { header: { frontier: ['b', 'c'] } }));
      expect(await frontier()).toEqual(['b', 'c']);
      await commit(store, step(3), step(4, { header: { frontier: ['b', 'c'] } }));
      expect(await frontier()).toEqual(['b', 'c']);
      expect(ways()).toEqual(['alone', 'alone', 'alone']);
      await other.store.close();
    });
  });

  test('goes in a transaction, and so do the next, when another process has taken its place among the rows', async () => {
    await watched(async ({ store, path, ways }) => {
      const other = await openAt(path);
      await create(other.store, 'theirs', { worker: 'worker' });
      for (let head = 1; head < 19; head += 1) await commit(store, step(head));
      expect(ways()).toEqual(['alone', ...Array.from({ length: 17 }, () => 'transaction'), 'alone']);
      expect(await seqsOf(other.store, 'run')).toHaveLength(19);
      expect((await verifyStore(other.store)).corruption).toEqual([]);
      await other.store.close();
    });
  });

  test('is refused when another process was faster, and leaves nothing', async () => {
    await watched(async ({ store, path, ways }) => {
      const other = await openAt(path);
      await commit(other.store, step(1));
      expect(await refused(store, 'head', step(1))).toMatchObject({ head: 2 });
      expect(ways()).toEqual(['alone', 'transaction']);
      expect(await seqsOf(other.store, 'run')).toEqual([1, 2]);
      expect((await verifyStore(other.store)).corruption).toEqual([]);
      await other.store.close();
    });
  });

  test('waits for another process that writes', async () => {
    await watched(async ({ store, path, ways }) => {
      const other = await openRaw(path);
      other.exec('BEGIN IMMEDIATE');
      const committing = store.commit(step(1));
      await new Promise(setImmediate);
      expect(ways().slice(0, 2)).toEqual(['alone', 'transaction']);
      other.exec('COMMIT');
      await expect(committing).resolves.toMatchObject({ ok: true, head: 2 });
      other.close();
    });
  });

  test('leaves the store poisoned when the disk fails, because nobody knows what is on it', async () => {
    await watched(async ({ store, fail }) => {
      fail(sqliteError(10));
      await expect(store.commit(step(1))).rejects.toMatchObject({ code: 'HOLDFAST_IN_DOUBT' });
      fail(undefined);
      await expect(store.commit(step(1))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_POISONED' });
    });
  });

  test('is tried in a transaction when anything else fails', async () => {
    await watched(async ({ store, fail, ways }) => {
      fail(sqliteError(13));
      await commit(store, step(1));
      expect(ways()).toEqual(['transaction']);
    });
  });

  test.each([5, 14])('goes in a transaction as long as what it needs cannot be set up (%i)', async (errcode) => {
    await watched(async ({ store, failSetUp, ways }) => {
      failSetUp(sqliteError(errcode));
      await commit(store, step(1));
      failSetUp(undefined);
      await commit(store, step(2));
      expect(ways()).toEqual(['transaction', 'alone']);
    });
  });

  test('never goes into a transaction of somebody else who uses the database', async () => {
    await watched(
      async ({ store, ways }) => {
        await commit(store, step(1));
        expect(ways()).toEqual(['transaction']);
      },
      { borrowed: true },
    );
  });
});
