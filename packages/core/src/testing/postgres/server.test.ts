import { expect, test } from 'vitest';
import { testServer } from './server.ts';

test('the server for tests answers', async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await testServer() });
  await client.connect();
  const { rows } = await client.query('SHOW server_encoding');
  await client.end();
  expect(rows).toEqual([{ server_encoding: 'UTF8' }]);
});
