import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { createTestPool, sql, testPool } from '../../../testing/postgres/postgres-places.ts';
import { Database } from './database.ts';
import { HostPool } from './hosts.ts';

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
});
