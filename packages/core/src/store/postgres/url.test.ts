import { describe, expect, test } from 'vitest';
import { openEngine } from '../../engine/open.ts';
import { giveBack, takeSchema } from '../../testing/postgres/postgres-places.ts';
import { testServer } from '../../testing/postgres/server.ts';
import { poolOf, postgresStore, storeOnServers } from './open.ts';
import { postgresStoreAt } from './url.ts';

describe('a postgres: URL', () => {
  test.each(['', '&named=false', '&named=true&max=4&sslmode=disable'])(
    'opens the schema that it names%s',
    async (more) => {
      const schema = await takeSchema();
      const url = `${await testServer()}?schema=${schema}${more}` as `postgres://${string}`;
      const engine = await openEngine(url);
      await engine.journal.append('run', { payload: 1 });
      await engine.close();
      const again = await openEngine(url.replace('postgres:', 'postgresql:') as `postgresql://${string}`);
      const payloads: unknown[] = [];
      for await (const { payload } of again.journal.read('run')) payloads.push(payload);
      expect(payloads).toEqual([1]);
      await again.close();
      await giveBack(schema);
    },
  );

  test('may name several servers, of which the one that answers is used', async () => {
    const schema = await takeSchema();
    const { host, username } = new URL(await testServer());
    const engine = await openEngine(`postgres://${username}@127.0.0.1:1,${host}/postgres?schema=${schema}`);
    expect(await engine.journal.append('run', { payload: 1 })).toBeDefined();
    await engine.close();
    await giveBack(schema);
  });

  test.each([
    ['postgres:/nowhere', 'not the URL of a database'],
    ['postgres://h/d?scheme=x', 'no parameter "scheme"'],
    ['postgres://h/d?constructor=x', 'no parameter "constructor"'],
    ['postgres://h/d?named=maybe', 'named cannot be "maybe"'],
    ['postgres://h/d?max=1', 'max cannot be "1"'],
    ['postgres://h/d?sslmode=perhaps', 'sslmode cannot be "perhaps"'],
    ['postgres://h/d?schema=a-b', 'the schema "a-b"'],
    ['postgres://h:65536/d', 'a port is a number from 1 to 65535'],
    ['postgres://h:0/d', 'a port is a number from 1 to 65535'],
    ['postgres://me:100%@h/d', '% as %25'],
    ['postgres://h/50%', '% as %25'],
    ['postgres://me:a@b@h/d', '@ in it as %40'],
  ])('refuses %s: %s', (url, why) => {
    expect(() => postgresStoreAt(url)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION', message: expect.stringContaining(why) }),
    );
  });

  test.each([
    'postgres://me:hush@h/d?x=1',
    'postgres://me:p@hush@h/d',
    'postgres://me:12/hush@h/d',
    'postgres://me:p@h?hush@h/d',
    'postgres://me:hush%@h/d',
    'postgres://me@h/d?password=x@hush',
    'postgres:me:hush',
  ])('never shows its password: %s', (url) => {
    expect(() => postgresStoreAt(url)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION', message: expect.not.stringContaining('hush') }),
    );
  });

  test('is refused, and not waited for, where nothing can be connected to', async () => {
    const pool = await poolOf([{ host: '127.0.0.1', port: 65_536 }], 1);
    await expect(openEngine(postgresStore({ pool, named: false }))).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
    });
    await expect(
      openEngine(storeOnServers([{ port: 65_536 }], { schema: undefined, named: true, max: 2 })),
    ).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
    });
  });

  test.each(['require', 'verify-full'])('encrypts the connection with sslmode=%s', async (mode) => {
    const { host, username } = new URL(await testServer());
    const opening = openEngine(`postgres://${username}@${host}/postgres?sslmode=${mode}`);
    await expect(opening).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
      details: { problem: 'unreachable' },
    });
  });
});
