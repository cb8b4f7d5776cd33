import { expect, test } from 'vitest';
import { loadSqlite } from './load-sqlite.ts';

class DatabaseSync {}

test('takes the one of Node where it has one', async () => {
  const asked: string[] = [];
  const loaded = await loadSqlite(async (name) => {
    asked.push(name);
    return { DatabaseSync };
  });
  expect(loaded).toBe(DatabaseSync);
  expect(asked).toEqual(['node:sqlite']);
});

test('takes the package where Node has none', async () => {
  const loaded = await loadSqlite(async (name) => {
    if (name === 'node:sqlite') throw new Error('no such module');
    return { DatabaseSync };
  });
  expect(loaded).toBe(DatabaseSync);
});

test('says what to install where there is neither', async () => {
  const loading = loadSqlite(async () => {
    throw new Error('no such module');
  });
  await expect(loading).rejects.toMatchObject({
    code: 'HOLDFAST_DRIVER_MISSING',
    message: expect.stringContaining('npm install @photostructure/sqlite'),
  });
});
