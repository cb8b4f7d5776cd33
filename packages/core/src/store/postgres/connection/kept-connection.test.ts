import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { interceptedPool } from '../../../testing/postgres/failing-pool.ts';
import { createTestPool } from '../../../testing/postgres/postgres-places.ts';
import { type Connected, KeptConnection } from './kept-connection.ts';
import type { PostgresQuery, PostgresResult } from './pool.ts';

type Execute = () => Promise<PostgresResult>;

/** A connection that listens, through the test's hands, and another one. */
async function setUp(intercept: (execute: Execute) => Promise<PostgresResult> = (execute) => execute()) {
  const pool = await createTestPool({ max: 2 });
  const client = await interceptedPool(pool, (_, execute) => intercept(execute)).connect();
  const other: Connected = await pool.connect();
  onTestFinished(async () => {
    client.release(true);
    other.release(true);
    await pool.end();
  });
  const kept = new KeptConnection({ clock: nodeEnv.clock, ms: 2_000 });
  let isLost = false;
  const keep = (): void => kept.keep(client, () => (isLost = true));
  return { kept, keep, other, wasLost: () => isLost };
}

const sleep: PostgresQuery = { text: 'SELECT pg_sleep(60)', values: [], rowMode: 'array' };

describe('a connection that is kept', () => {
  test('knows whether the server executes what another one has sent', async () => {
    const { kept, keep, other } = await setUp();
    keep();
    expect(await kept.verdictOn(other)).toBe('lost');
    other.query(sleep).catch(() => undefined);
    await expect.poll(() => kept.verdictOn(other)).toBe('executed');
  });

  test('knows nothing before it is there, and after nobody needs it; when it was lost, so were others', async () => {
    const { kept, keep, other } = await setUp();
    expect(await kept.verdictOn(other)).toBe('unknown');
    keep();
    kept.lost();
    expect(await kept.verdictOn(other)).toBe('lost');
    kept.forget();
    expect(await kept.verdictOn(other)).toBe('unknown');
  });

  test('is replaced when it is silent itself', async () => {
    const { kept, keep, other, wasLost } = await setUp(() => new Promise(() => undefined));
    keep();
    expect(await kept.verdictOn(other)).toBe('lost');
    expect(wasLost()).toBe(true);
  });

  test('knows nothing behind a pooler, or of a server that does not say it', async () => {
    const pooled = await setUp(async (execute) => ({ rows: (await execute()).rows.map(([, there]) => [-1, there]) }));
    pooled.keep();
    expect(await pooled.kept.verdictOn(pooled.other)).toBe('unknown');
    const refusing = await setUp(() => Promise.reject(Object.assign(new Error('no view'), { severity: 'ERROR' })));
    refusing.keep();
    expect(await refusing.kept.verdictOn(refusing.other)).toBe('unknown');
    expect(refusing.wasLost()).toBe(false);
  });
});
