import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { createTestPool, sql, testPool } from '../../../testing/postgres/postgres-places.ts';
import { Database } from './database.ts';
import { HostPool } from './hosts.ts';
import type { PostgresPool } from './pool.ts';

describe('HostPool', () => {
  test('uses the server that accepts writes, and stays with it', async () => {
    const user = `standby_${process.pid}`;
    await sql(`DROP ROLE IF EXISTS ${user}`);
    await sql(`CREATE ROLE ${user} LOGIN`);
    // As far as a client can see, a standby.
    await sql(`ALTER ROLE ${user} SET default_transaction_read_only = on`);
    const standby = await createTestPool({ user });
    const down = await createTestPool({ port: 1 });
    const hosts = new HostPool([down, standby, await testPool()]);
    for (let count = 0; count < 2; count += 1) {
      const client = await hosts.connect();
      const text = 'SELECT current_user';
      expect((await client.query({ text, values: [], rowMode: 'array' })).rows).not.toEqual([[user]]);
      client.release();
    }
    // As in the middle of a failover: it passes.
    const failing = new Database({ pool: new HostPool([down, standby]), schema: 'public', named: true, env: nodeEnv });
    await expect(failing.rows('SELECT 1', [])).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { problem: 'read-only', effect: 'none', transient: true },
    });
    await new HostPool([down, standby]).end();
    await sql(`DROP ROLE ${user}`);
  });

  test('searches once for all who need a connection, and not at once again', async () => {
    let asked = 0;
    const gone: PostgresPool = {
      connect: async () => {
        asked += 1;
        throw new Error('refused');
      },
      end: async () => undefined,
    };
    const hosts = new HostPool([gone, gone]);
    await expect(hosts.connect()).rejects.toThrow('refused');
    // The one that was used, and then both.
    expect(asked).toBe(3);
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => hosts.connect()));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBeLessThanOrEqual(5);
    await expect.poll(() => hosts.connect().catch(() => asked)).toBeGreaterThan(3);
  });

  test('finds another server while one is silent, once that is not trusted any more', async () => {
    const silent: PostgresPool = { connect: () => new Promise(() => undefined), end: async () => undefined };
    const hosts = new HostPool([silent, await testPool()]);
    hosts.distrust();
    const client = await hosts.connect();
    expect((await client.query({ text: 'SELECT 7', values: [], rowMode: 'array' })).rows).toEqual([[7]]);
    client.release();
  });
});
