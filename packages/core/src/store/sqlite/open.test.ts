import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create, creationOf, headerOf } from '../../testing/contract/given.ts';
import { failedSync, failingDatabase } from '../../testing/sqlite/failing-database.ts';
import { inDirectory, openAt, openRaw } from '../../testing/sqlite/sqlite-places.ts';
import { CheckedStore } from '../checked-store.ts';
import { openDriver } from '../store.ts';
import { readPragma } from './connection/database.ts';
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

  test('gives back a database as it was given', async () => {
    await inDirectory(async (directory) => {
      const database = await openRaw(join(directory, 'store.db'));
      database.exec('PRAGMA wal_autocheckpoint = 77');
      await (await openDriver(sqliteStore(database), nodeEnv)).close();
      expect(readPragma(database, 'wal_autocheckpoint')).toBe(77);
      database.close();
    });
  });

  test('trusts a database that was given no more once it has failed', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      const database = await openRaw(path);
      let fails = false;
      const given = failingDatabase(database, (sql) => (fails && sql === 'COMMIT' ? failedSync : undefined));
      const driver = await openDriver(sqliteStore(given), nodeEnv);
      const store = new CheckedStore(driver, nodeEnv);
      fails = true;
      await expect(store.commit(creationOf('run'))).rejects.toMatchObject({ code: 'HOLDFAST_IN_DOUBT' });
      fails = false;
      await store.close();
      await expect(openDriver(sqliteStore(given), nodeEnv)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_POISONED' });
      database.close();
      await (await openAt(path)).store.close();
    });
  });

  test('does not make a store anew that was open and is gone', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'mounted', 'store.db');
      const store = sqliteStore(path);
      await (await openDriver(store, nodeEnv)).close();
      await rm(join(directory, 'mounted'), { recursive: true });
      await expect(openDriver(store, nodeEnv, { again: true })).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
      expect(existsSync(join(directory, 'mounted'))).toBe(false);
    });
  });

  test('is at the same file wherever the process is when it is opened again', async () => {
    await inDirectory(async (directory) => {
      const at = vi.spyOn(process, 'cwd').mockReturnValue(directory);
      const store = sqliteStore('store.db');
      at.mockReturnValue(join(directory, 'elsewhere'));
      await (await openDriver(store, nodeEnv)).close();
      at.mockRestore();
      expect(existsSync(join(directory, 'store.db'))).toBe(true);
    });
  });

  test('leaves a store of a newer version as it is, also with a log that somebody left', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      await (await openAt(path)).store.close();
      const newer = await openRaw(path);
      newer.exec('PRAGMA user_version = 9; CREATE TABLE more (x)');
      const left = join(directory, 'left.db');
      for (const end of ['', '-wal']) await copyFile(`${path}${end}`, `${left}${end}`);
      newer.close();
      const before = await Promise.all(['', '-wal'].map((end) => readFile(`${left}${end}`)));
      await expect(openAt(left)).rejects.toMatchObject({ code: 'HOLDFAST_UNKNOWN_FORMAT', details: { path: left } });
      expect(await Promise.all(['', '-wal'].map((end) => readFile(`${left}${end}`)))).toEqual(before);
    });
  });

  test.each(['my notes, which are dear to me', '?'])('refuses a file that is something else: %s', async (text) => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'notes.txt');
      await writeFile(path, text);
      await expect(openAt(path)).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_FOREIGN',
        message: expect.stringContaining(path),
      });
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

  test.each([undefined, {}, 7])('refuses %j, which is neither a path nor a database', (given) => {
    expect(() => sqliteStore(given as string)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });

  test('refuses a durability that there is none', () => {
    const durability = 'off' as 'normal';
    expect(() => sqliteStore('x.db', { durability })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }),
    );
  });
});

describe('a directory that everyone may write to', () => {
  test('can hold a store if it is sticky, as the temporary directory of the system is', async () => {
    await inDirectory(async (root) => {
      const shared = join(root, 'shared');
      await mkdir(shared);
      await chmod(shared, 0o1777);
      const path = join(shared, 'runs.db');
      for (let opening = 1; opening <= 2; opening += 1) {
        const driver = await openDriver(sqliteStore(path), nodeEnv);
        const store = new CheckedStore(driver, nodeEnv);
        await create(store, `run-${opening}`);
        expect((await headerOf(store, 'run-1')).head).toBe(1);
        await store.close();
      }
      await chmod(shared, 0o777);
      await expect(openDriver(sqliteStore(path), nodeEnv)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    });
  });

  test('cannot where a link is, or a file of somebody else', async () => {
    await inDirectory(async (root) => {
      const shared = join(root, 'shared');
      await mkdir(shared);
      await chmod(shared, 0o1777);
      const path = join(shared, 'runs.db');
      await symlink(join(root, 'elsewhere'), `${path}-wal`);
      await expect(openDriver(sqliteStore(path), nodeEnv)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
      await rm(`${path}-wal`);
      // Only root can give a file away.
      if (process.getuid?.() !== 0) return;
      await writeFile(`${path}-shm`, '');
      await chown(`${path}-shm`, 12_345, 12_345);
      await expect(openDriver(sqliteStore(path), nodeEnv)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    });
  });
});
