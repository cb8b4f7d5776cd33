import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { failedSync, failingDatabase, sqliteError } from '../../../testing/sqlite/failing-database.ts';
import { inDirectory, openRaw, stillEnv, tamper } from '../../../testing/sqlite/sqlite-places.ts';
import { readPragma, type SqliteDatabase } from './database.ts';
import { applicationId, migrate } from './migrate.ts';
import { setUpDatabase } from './set-up-database.ts';

async function withDatabase<T>(body: (database: SqliteDatabase, path: string) => Promise<T>): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const database = await openRaw(path);
    try {
      return await body(database, path);
    } finally {
      database.close();
    }
  });
}

const setUp = (database: SqliteDatabase): Promise<void> =>
  setUpDatabase({ database, env: nodeEnv, durability: 'full' });

function tablesOf(database: SqliteDatabase): readonly string[] {
  return (database.prepare('SELECT name FROM sqlite_schema').all() as { name: string }[]).map(({ name }) => name);
}

function failing(): never {
  throw new Error('cannot');
}

describe('a new database', () => {
  test('is ours, and gives pages back', async () => {
    await withDatabase(async (database) => {
      await setUp(database);
      expect(readPragma(database, 'application_id')).toBe(applicationId);
      expect(readPragma(database, 'user_version')).toBe(1);
      expect(readPragma(database, 'page_size')).toBe(4096);
      expect(readPragma(database, 'auto_vacuum')).toBe(2);
    });
  });

  test('is made once by two who come together', async () => {
    await withDatabase(async (database, path) => {
      const other = await openRaw(path);
      await Promise.all([setUp(database), setUp(other)]);
      expect(readPragma(other, 'user_version')).toBe(1);
      other.close();
    });
  });
});

describe('every connection', () => {
  test('syncs before it acknowledges, also when the database is opened again', async () => {
    await withDatabase(async (database, path) => {
      await setUp(database);
      const again = await openRaw(path);
      await setUp(again);
      expect(readPragma(again, 'journal_mode')).toBe('wal');
      expect(readPragma(again, 'synchronous')).toBe(2);
      expect(readPragma(again, 'wal_autocheckpoint')).toBe(0);
      expect(readPragma(again, 'busy_timeout')).toBe(0);
      again.close();
    });
  });

  test('syncs less only where that was asked for', async () => {
    await withDatabase(async (database) => {
      await setUpDatabase({ database, env: nodeEnv, durability: 'normal' });
      expect(readPragma(database, 'synchronous')).toBe(1);
    });
  });

  test('is refused when it does not sync as it was told', async () => {
    await withDatabase(async (database) => {
      const lax: SqliteDatabase = {
        exec: (sql) => database.exec(sql.replace('synchronous = 2', 'synchronous = 1')),
        prepare: (sql) => database.prepare(sql),
        close: () => database.close(),
      };
      await expect(setUp(lax)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    });
  });

  test('is refused when it has no write-ahead log', async () => {
    const memory = await openRaw(':memory:');
    await expect(setUp(memory)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: expect.stringContaining('memory'),
    });
    memory.close();
  });

  test('is refused when it cannot write', async () => {
    await withDatabase(async (database, path) => {
      await setUp(database);
      const again = await openRaw(path);
      again.exec('PRAGMA query_only = ON');
      await expect(setUp(again)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
      again.close();
    });
  });
});

describe('a database that somebody else has opened', () => {
  test('is refused in the middle of a transaction, and left in it', async () => {
    await withDatabase(async (database) => {
      await setUp(database);
      database.exec('BEGIN; CREATE TABLE theirs (x)');
      await expect(setUp(database)).rejects.toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
        message: expect.stringContaining('in a transaction'),
      });
      database.exec('COMMIT');
      expect(tablesOf(database)).toContain('theirs');
    });
  });

  test('tells of an I/O error as of one', async () => {
    await withDatabase(async (database) => {
      const broken = failingDatabase(database, (sql) => (sql.startsWith('BEGIN; ROLLBACK') ? failedSync : undefined));
      await expect(setUp(broken)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED', cause: failedSync });
    });
  });
});

describe('a database of something else', () => {
  test.each([
    ['with tables', 'CREATE TABLE theirs (x)'],
    ['with an application id', 'PRAGMA application_id = 7'],
    ['with a version', 'PRAGMA user_version = 7'],
  ])('is left alone: %s', async (_name, sql) => {
    await withDatabase(async (database, path) => {
      database.exec(sql);
      const before = await readFile(path);
      await expect(setUp(database)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FOREIGN' });
      expect(await readFile(path)).toEqual(before);
    });
  });

  test.each(['xy', 'this is no database\n'.repeat(1_000)])('is left alone when it is none at all', async (text) => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      await writeFile(path, text);
      const database = await openRaw(path);
      await expect(setUp(database)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FOREIGN' });
      database.close();
      expect(await readFile(path, 'utf8')).toBe(text);
    });
  });
});

describe('versions', () => {
  const steps = [1, 2, 3].map((step) => (database: SqliteDatabase) => {
    database.exec(`CREATE TABLE step${step} (x)`);
  });

  test('are gone through in order, from the one that is there on', async () => {
    await withDatabase(async (database) => {
      const options = { database, env: nodeEnv, durability: 'full' } as const;
      await setUpDatabase({ ...options, migrations: steps.slice(0, 1) });
      expect(tablesOf(database)).toEqual(['step1']);
      await setUpDatabase({ ...options, migrations: steps });
      expect(tablesOf(database)).toEqual(['step1', 'step2', 'step3']);
      expect(readPragma(database, 'user_version')).toBe(3);
      expect(migrate(database, steps)).toEqual({ changed: false });
    });
  });

  test('stay as they are when one step fails', async () => {
    await withDatabase(async (database) => {
      const options = { database, env: nodeEnv, durability: 'full' } as const;
      await setUpDatabase({ ...options, migrations: steps.slice(0, 1) });
      const migrations = [...steps.slice(0, 2), failing];
      await expect(setUpDatabase({ ...options, migrations })).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
      expect(tablesOf(database)).toEqual(['step1']);
      expect(readPragma(database, 'user_version')).toBe(1);
    });
  });

  test('that are newer are refused, and nothing is written', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      await tamper(path, (database) => setUp(database));
      await tamper(path, (database) => database.exec('PRAGMA user_version = 2'));
      const before = await readFile(path);
      await tamper(path, async (database) => {
        await expect(setUp(database)).rejects.toMatchObject({
          code: 'HOLDFAST_UNKNOWN_FORMAT',
          details: { version: 2, newest: 1 },
        });
      });
      expect(await readFile(path)).toEqual(before);
    });
  });
});

describe('a database that is in use or broken', () => {
  test('on a full disk is said to be on a full disk', async () => {
    await withDatabase(async (database) => {
      const full = sqliteError(13, 'database or disk is full');
      // SQLite has rolled back by itself then.
      const fails = (sql: string): Error | undefined => {
        if (!sql.startsWith('CREATE TABLE runs')) return undefined;
        database.exec('ROLLBACK');
        return full;
      };
      await expect(setUp(failingDatabase(database, fails))).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_FAILED',
        message: expect.stringContaining('full'),
        cause: full,
      });
    });
  });

  test('is refused when a trigger came with it', async () => {
    await withDatabase(async (database) => {
      await setUp(database);
      database.exec('CREATE TABLE theirs (x); CREATE TRIGGER fine AFTER INSERT ON theirs BEGIN SELECT 1; END');
      await setUp(database);
      database.exec("CREATE TRIGGER evil AFTER INSERT ON rows BEGIN UPDATE rows SET text = ''; END");
      await expect(setUp(database)).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        message: expect.stringContaining('trigger evil'),
      });
    });
  });

  test('is waited for, and then said to be locked', async () => {
    await withDatabase(async (database, path) => {
      await setUp(database);
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 1; COMMIT');
      const { env, clock } = stillEnv();
      const other = await openRaw(path);
      const opening = setUpDatabase({ database: other, env, durability: 'full' }).catch((error: unknown) => error);
      await clock.advance(11_000);
      expect(await opening).toMatchObject({ code: 'HOLDFAST_STORE_LOCKED' });
      other.close();
    });
  });

  test('is refused when a table is not as it was made', async () => {
    await withDatabase(async (database) => {
      await setUp(database);
      database.exec('ALTER TABLE heads RENAME COLUMN frontier TO frontiet');
      await expect(setUp(database)).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        message: expect.stringContaining('heads'),
      });
    });
  });

  test.each([
    ['its first page', (bytes: Buffer) => bytes.fill(0xff, 100, 4_000)],
    ['the number of its format', (bytes: Buffer) => bytes.fill(0x09, 44, 48)],
  ])('is refused when %s is not what it was', async (_name, corruption) => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      await tamper(path, (database) => setUp(database));
      await writeFile(path, corruption(await readFile(path)));
      const database = await openRaw(path);
      await expect(setUp(database)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
      database.close();
    });
  });
});
