import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create, headerOf } from '../../testing/contract/given.ts';
import { inDirectory, openAt, openRaw } from '../../testing/sqlite/sqlite-places.ts';
import { CheckedStore } from '../checked-store.ts';
import { openDriver } from '../store.ts';
import { sqliteStore } from './index.ts';

describe('sqliteStore()', () => {
  test('creates the file where there is none, and finds everything again', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'new', 'store.db');
      const first = await openAt(path);
      await create(first.store, 'run');
      await first.store.close();
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const second = await openAt(path);
      expect((await headerOf(second.store, 'run')).head).toBe(1);
      await second.store.close();
    });
  });

  test('gives its log and its index the permissions of the file', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      const { store } = await openAt(path);
      await create(store, 'run');
      for (const end of ['-wal', '-shm']) expect((await stat(`${path}${end}`)).mode & 0o777).toBe(0o600);
      await store.close();
    });
  });

  test('leaves a database that was given open', async () => {
    await inDirectory(async (directory) => {
      const database = await openRaw(join(directory, 'store.db'));
      const driver = await openDriver(sqliteStore(database), nodeEnv);
      const store = new CheckedStore(driver, nodeEnv);
      await create(store, 'run');
      await store.close();
      expect(database.prepare('SELECT count(*) AS runs FROM runs').get()).toMatchObject({ runs: 1 });
      database.close();
    });
  });

  test.each(['my notes, which are dear to me', '?'])('refuses a file that is something else: %s', async (text) => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'notes.txt');
      await writeFile(path, text);
      await expect(openAt(path)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FOREIGN' });
      expect(await readFile(path, 'utf8')).toBe(text);
    });
  });

  test('is all in its file when it is closed, for whoever copies it', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      const { store } = await openAt(path);
      await create(store, 'run');
      await store.close();
      await copyFile(path, join(directory, 'copy.db'));
      const copy = await openAt(join(directory, 'copy.db'));
      expect((await headerOf(copy.store, 'run')).head).toBe(1);
      await copy.store.close();
    });
  });

  test('refuses a symbolic link', async () => {
    await inDirectory(async (directory) => {
      await symlink(join(directory, 'elsewhere.db'), join(directory, 'store.db'));
      await expect(openAt(join(directory, 'store.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    });
  });

  test('says why a file cannot be opened', async () => {
    await inDirectory(async (directory) => {
      await writeFile(join(directory, 'file'), '');
      await expect(openAt(join(directory, 'file', 'store.db'))).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_FAILED',
      });
      await mkdir(join(directory, 'store.db-wal'));
      await expect(openAt(join(directory, 'store.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    });
  });

  test.each(['', ':memory:'])('refuses the file "%s", which would be gone with the process', (file) => {
    expect(() => sqliteStore(file)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('refuses a durability that there is none', () => {
    const durability = 'off' as 'normal';
    expect(() => sqliteStore('x.db', { durability })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }),
    );
  });
});
