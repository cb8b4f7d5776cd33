import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { inDirectory } from '../../testing/sqlite/sqlite-places.ts';
import { openDriver } from '../store.ts';
import { sqliteStoreAt } from './url.ts';

test.each(['', '?durability=full', '?durability=normal', '?'])(
  'opens the file that the address names: %s',
  async (query) => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'my store.db');
      await (await openDriver(sqliteStoreAt(`sqlite:${path}${query}`), nodeEnv)).close();
      expect(existsSync(path)).toBe(true);
    });
  },
);

test.each([
  ['sqlite:', 'names no file'],
  ['sqlite:?durability=normal', 'names no file'],
  ['sqlite:  ', 'names no file'],
  ['sqlite::memory:', 'use memory:'],
  ['sqlite://runs.db', 'cannot name a host'],
  ['sqlite:///var/runs.db', 'write sqlite:/var/runs.db'],
  ['sqlite:~/runs.db', 'the whole path'],
  ['file:x.db', 'names no file'],
  ['sqlite:x.db?durable=no', 'no parameter "durable"'],
  ['sqlite:x.db?durability=off', 'no durability "off"'],
  ['sqlite:x.db?durability=normal&mode=ro', 'no parameter "mode"'],
])('refuses %s: %s', (url, why) => {
  expect(() => sqliteStoreAt(url)).toThrow(
    expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION', message: expect.stringContaining(why) }),
  );
});
