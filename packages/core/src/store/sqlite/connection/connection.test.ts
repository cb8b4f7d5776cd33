import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { type Fails, failedSync, failingDatabase, sqliteError } from '../../../testing/sqlite/failing-database.ts';
import { inDirectory, openRaw, stillEnv } from '../../../testing/sqlite/sqlite-places.ts';
import { Connection } from './connection.ts';

const never: Fails = () => undefined;

interface Given {
  readonly connection: Connection;
  readonly path: string;
  /** Makes statements fail from now on. */
  readonly fail: (fails: Fails) => void;
}

const insert = 'INSERT INTO t (x) VALUES (1)';
const count = 'SELECT count(*) FROM t';

async function withConnection<T>(body: (given: Given) => Promise<T>): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const database = await openRaw(path);
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; CREATE TABLE t (x INTEGER)');
    let fails: Fails = never;
    const connection = new Connection({ database: failingDatabase(database, (sql) => fails(sql)), env: nodeEnv });
    try {
      return await body({ connection, path, fail: (given) => (fails = given) });
    } finally {
      database.close();
    }
  });
}

async function caught(promise: Promise<unknown>): Promise<HoldfastError> {
  const error: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!HoldfastError.is(error)) throw new Error('It did not fail as expected', { cause: error });
  return error;
}

describe('write()', () => {
  test('gives what the work gives, and keeps what it wrote', async () => {
    await withConnection(async ({ connection }) => {
      expect(await connection.write(() => connection.insert(insert))).toBe(1);
      expect(await connection.read(() => connection.value(count))).toBe(1);
    });
  });

  test('takes everything back when the work fails, and passes on what has a code', async () => {
    await withConnection(async ({ connection }) => {
      const error = await caught(
        connection.write(() => {
          connection.run(insert);
          throw holdfastError('HOLDFAST_INVALID_VALUE', 'no');
        }),
      );
      expect(error.code).toBe('HOLDFAST_INVALID_VALUE');
      expect(await connection.read(() => connection.value(count))).toBe(0);
    });
  });

  test.each([
    ['a full disk', 13],
    ['a violated constraint', 19],
  ])('knows that %s had no effect, in the work or at its end, and continues', async (_name, errcode) => {
    await withConnection(async ({ connection, fail }) => {
      for (const failed of [insert, 'COMMIT']) {
        fail((sql) => (sql === failed ? sqliteError(errcode) : undefined));
        const error = await caught(connection.write(() => connection.run(insert)));
        expect(error).toMatchObject({ code: 'HOLDFAST_STORE_FAILED', details: { effect: 'none', poisoned: false } });
        fail(never);
        expect(await connection.read(() => connection.value(count))).toBe(0);
      }
      await connection.write(() => connection.run(insert));
    });
  });

  test.each([
    [insert, 'none'],
    ['COMMIT', 'unknown'],
    ['BEGIN IMMEDIATE', 'none'],
  ])('trusts the database no more after an I/O error in %s, whose effect is %s', async (failed, effect) => {
    await withConnection(async ({ connection, fail }) => {
      fail((sql) => (sql === failed ? failedSync : undefined));
      const error = await caught(connection.write(() => connection.run(insert)));
      expect(error).toMatchObject({ code: 'HOLDFAST_STORE_FAILED', details: { effect, poisoned: true } });
      fail(never);
      for (const work of ['read', 'write'] as const) {
        expect((await caught(connection[work](() => 1))).details).toEqual({
          effect: 'none',
          poisoned: true,
          transient: false,
        });
      }
      connection.settle();
    });
  });

  test('leaves open what became of a commit that can neither be made nor rolled back', async () => {
    await withConnection(async ({ connection, fail }) => {
      fail((sql) => (sql === 'COMMIT' || sql === 'ROLLBACK' ? sqliteError(19) : undefined));
      const error = await caught(connection.write(() => connection.run(insert)));
      expect(error.details).toEqual({ effect: 'unknown', poisoned: false, transient: false });
    });
  });

  test.each([
    ['a malformed file', 11],
    ['a file that is none', 26],
    ['a table that is gone', 1],
  ])('tells of corruption when it comes upon %s', async (_name, errcode) => {
    await withConnection(async ({ connection, fail }) => {
      fail((sql) => (sql === insert ? sqliteError(errcode, 'bad') : undefined));
      const error = await caught(connection.write(() => connection.run(insert)));
      expect(error).toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { where: 'the database file' } });
    });
  });

  test('fails without effect inside a transaction of someone else', async () => {
    await withConnection(async ({ connection }) => {
      connection.exec('BEGIN');
      const error = await caught(connection.write(() => connection.run(insert)));
      expect(error).toMatchObject({ code: 'HOLDFAST_STORE_FAILED', details: { effect: 'none', poisoned: false } });
    });
  });
});

describe('the log', () => {
  /** So many are more than the log is left to hold. */
  const many = 3_000;
  const drain = 'PRAGMA wal_checkpoint(PASSIVE)';

  test('is brought into the file every so often, and written over then', async () => {
    await withConnection(async ({ connection, path }) => {
      connection.exec('PRAGMA wal_autocheckpoint = 0');
      for (let at = 0; at < many; at += 1) await connection.write(() => connection.run(insert));
      const pages = (await stat(`${path}-wal`)).size / 4_096;
      expect(pages).toBeLessThan(many / 2);
    });
  });

  test('that could not be synced into the file takes no commit back, and poisons the connection', async () => {
    await withConnection(async ({ connection, fail, path }) => {
      fail((sql) => (sql === drain ? failedSync : undefined));
      let written = 0;
      for (; !connection.isPoisoned && written < many; written += 1) {
        await connection.write(() => connection.run(insert));
      }
      expect(connection.isPoisoned).toBe(true);
      const error = await caught(connection.write(() => connection.run(insert)));
      expect(error.details).toEqual({ effect: 'none', poisoned: true, transient: false });
      const other = await openRaw(path);
      expect(other.prepare(count).get()).toEqual({ 'count(*)': written });
      other.close();
    });
  });

  test('that another one brings in, or reads, is tried again soon', async () => {
    await withConnection(async ({ connection, fail, path }) => {
      let tries = 0;
      fail((sql) => {
        tries += sql === drain ? 1 : 0;
        return undefined;
      });
      const reader = await openRaw(path);
      reader.exec(`BEGIN; ${count}`);
      const write = (pages: number): Promise<number> => connection.write(() => connection.run(insert), pages);
      await write(2_000);
      expect(tries).toBe(1);
      await write(100);
      expect(tries).toBe(1);
      await write(100);
      expect(tries).toBe(2);
      reader.exec('COMMIT');
      await write(200);
      await write(200);
      expect(tries).toBe(3);
      reader.close();
    });
  });

  test('that has no room in the file stays where it is', async () => {
    await withConnection(async ({ connection, fail }) => {
      fail((sql) => (sql === drain ? sqliteError(13) : undefined));
      await connection.write(() => connection.run(insert), 2_000);
      expect(connection.isPoisoned).toBe(false);
      await connection.write(() => connection.run(insert));
    });
  });

  test('that cannot be brought into the file at the end is told of', async () => {
    await withConnection(async ({ path }) => {
      const database = await openRaw(path);
      const warnings: string[] = [];
      const broken = failingDatabase(database, (sql) => (sql.includes('TRUNCATE') ? failedSync : undefined));
      const env = { ...nodeEnv, warn: (message: string) => void warnings.push(message) };
      new Connection({ database: broken, env }).settle();
      expect(warnings).toEqual([expect.stringContaining('FILE-wal')]);
      database.close();
    });
  });
});

describe('waiting for others', () => {
  test('continues when the other has released its lock, and leaves the event loop free until then', async () => {
    await withConnection(async ({ connection, path }) => {
      const other = await openRaw(path);
      other.exec('BEGIN IMMEDIATE');
      let turns = 0;
      const writing = connection.write(() => connection.run(insert));
      for (; turns < 20; turns += 1) await nodeEnv.clock.sleep(1);
      other.exec('COMMIT');
      await writing;
      other.close();
      expect(turns).toBe(20);
    });
  });

  test('gives up without effect when the other never releases its lock', async () => {
    await withConnection(async ({ path }) => {
      const { env, clock } = stillEnv();
      const other = await openRaw(path);
      const database = await openRaw(path);
      const connection = new Connection({ database, env });
      other.exec('BEGIN IMMEDIATE');
      const writing = caught(connection.write(() => connection.run(insert)));
      await clock.advance(31_000);
      expect(await writing).toMatchObject({
        code: 'HOLDFAST_STORE_FAILED',
        message: expect.stringContaining('locked'),
        details: { effect: 'none', poisoned: false },
      });
      other.exec('ROLLBACK');
      await connection.write(() => connection.run(insert));
      for (const each of [other, database]) each.close();
    });
  });
});

describe('columns()', () => {
  test.each(['setReturnArrays', 'raw'] as const)('asks a driver that has %s for arrays', async (method) => {
    await withConnection(async ({ path }) => {
      const database = await openRaw(path);
      let asked = false;
      const connection = new Connection({
        env: nodeEnv,
        database: {
          exec: (sql) => database.exec(sql),
          prepare: (sql) => {
            const statement = database.prepare(sql);
            return {
              run: (...values) => statement.run(...values),
              get: (...values) => Object.values(statement.get(...values) as object) as unknown[],
              all: (...values) => statement.all(...values),
              [method]: () => (asked = true),
            };
          },
          close: () => database.close(),
        },
      });
      expect(connection.columns('SELECT 1, 2 AS two, NULL')).toEqual([1, 2, null]);
      expect(asked).toBe(true);
      database.close();
    });
  });
});
