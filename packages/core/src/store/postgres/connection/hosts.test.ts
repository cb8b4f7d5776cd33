import { describe, expect, test } from 'vitest';
import { createTestPool, sql, testPool } from '../../../testing/postgres/postgres-places.ts';
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
    await expect(new HostPool([down, standby]).connect()).rejects.toMatchObject({ details: { problem: 'read-only' } });
    await new HostPool([down, standby]).end();
    await sql(`DROP ROLE ${user}`);
  });
});
