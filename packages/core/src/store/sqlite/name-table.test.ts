import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { inDirectory, openAt, openRaw } from '../../testing/sqlite/sqlite-places.ts';
import { Connection } from './connection.ts';
import { NameTable } from './name-table.ts';

async function withNames(body: (connection: Connection, names: () => NameTable) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    await (await openAt(path)).store.close();
    const database = await openRaw(path);
    const connection = new Connection({ database, env: nodeEnv });
    await body(connection, () => new NameTable(connection, 'graphs'));
    database.close();
  });
}

describe('keyOf()', () => {
  test('gives each name a key of its own, which anybody finds again', async () => {
    await withNames(async (connection, names) => {
      const mine = names();
      const keys = await connection.write(() => ['a', 'b', 'a'].map((name) => mine.keyOf(name)));
      expect(keys).toEqual([1, 2, 1]);
      const others = names();
      expect(['b', 'c'].map((name) => others.find(name))).toEqual([2, undefined]);
      expect([1, 3].map((key) => others.nameOf(key))).toEqual(['a', undefined]);
    });
  });

  test('forgets a name whose transaction came to nothing', async () => {
    await withNames(async (connection, names) => {
      const mine = names();
      const failing = connection.write(() => {
        mine.keyOf('never');
        throw new Error('no');
      });
      await expect(failing).rejects.toMatchObject({ cause: { message: 'no' } });
      connection.run("INSERT INTO graphs (key, name, sum) VALUES (1, 'other', 0)");
      expect(mine.find('never')).toBeUndefined();
    });
  });

  test('refuses a name that is not as it was written', async () => {
    await withNames(async (connection, names) => {
      await connection.write(() => names().keyOf('a'));
      connection.run('UPDATE graphs SET sum = sum + 1');
      expect(() => names().keyOf('a')).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }) as Error);
      expect(names().nameOf(1)).toBeUndefined();
    });
  });
});

test('more names than there is room for are read again', async () => {
  await withNames(async (connection, names) => {
    const mine = names();
    const all = Array.from({ length: 10_001 }, (_, at) => `graph-${at}`);
    await connection.write(() => all.map((name) => mine.keyOf(name)));
    expect([1, 2, 10_001].map((key) => mine.nameOf(key))).toEqual(['graph-0', 'graph-1', 'graph-10000']);
    mine.check();
  });
});
