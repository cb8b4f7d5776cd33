// What a server can be like while runs are written: each is an error that says what it is, nothing is lost, and afterwards
// all goes on.
import { type Engine, openEngine } from 'holdfast';
import { postgresStore } from 'holdfast/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { interceptedPool } from '../../src/testing/postgres/failing-pool.ts';
import {
  createTestPool,
  giveBack,
  sql,
  type TestPool,
  takeSchema,
  testPool,
} from '../../src/testing/postgres/postgres-places.ts';
import { all } from '../engine/every-place.ts';

/** A store whose user has settings and rights of its own. */
interface Place {
  readonly user: string;
  readonly schema: string;
  readonly pool: TestPool;
  readonly engine: Engine;
  /** The SQLSTATEs of the errors that the server has answered. */
  readonly codes: readonly string[];
}

type Connected = Awaited<ReturnType<TestPool['connect']>>;

let users = 0;

async function openPlace({ max = 10 } = {}): Promise<Place> {
  users += 1;
  const user = `user_${process.pid}_${users}`;
  const schema = await takeSchema();
  await (await openEngine(postgresStore({ pool: await testPool(), schema }))).close();
  await sql(`CREATE ROLE ${user} LOGIN`);
  await sql(`GRANT USAGE ON SCHEMA "${schema}" TO ${user}`);
  await sql(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${user}`);
  const pool = await createTestPool({ user, max, connectionTimeoutMillis: 200 });
  const codes: string[] = [];
  const listened = interceptedPool(pool, async (_, execute) => {
    try {
      return await execute();
    } catch (error) {
      codes.push(String((error as { readonly code?: unknown }).code));
      throw error;
    }
  });
  // Whatever passes is repeated for so long.
  const engine = await openEngine(postgresStore({ pool: listened, schema }), { lease: '3s', log: 'silent' });
  onTestFinished(async () => {
    await engine.close();
    await pool.end();
    await sql(`DROP OWNED BY ${user}`);
    await sql(`DROP ROLE ${user}`);
    await giveBack(schema);
  });
  await engine.journal.append('run', { payload: 'before' });
  return { user, schema, pool, engine, codes };
}

/** What the run has. */
async function payloads({ engine }: Place): Promise<readonly unknown[]> {
  return (await all(engine.journal.read('run'))).map(({ payload }) => payload);
}

/** Ends the connections of the user, so that the next ones have its new settings. */
async function reconnect({ user }: Place): Promise<void> {
  await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [user]);
}

/** Somebody else locks the head of the run. Gives what ends that. */
async function lockHead({ schema }: Place): Promise<() => Promise<void>> {
  const client = await (await testPool()).connect();
  const query = (text: string) => client.query({ text, values: [], rowMode: 'array' });
  await query('BEGIN');
  await query(`SELECT 1 FROM "${schema}".heads FOR UPDATE`);
  let isLocked = true;
  const unlock = async (): Promise<void> => {
    if (!isLocked) return;
    isLocked = false;
    await query('ROLLBACK');
    client.release();
  };
  onTestFinished(unlock);
  return unlock;
}

describe('a statement that the server cancels after its time', () => {
  test('is repeated until it goes through, and happens once', async () => {
    const place = await openPlace();
    await sql(`ALTER ROLE ${place.user} SET statement_timeout = 100`);
    await reconnect(place);
    const unlock = await lockHead(place);
    const appended = place.engine.journal.append('run', { payload: 'after' });
    await expect.poll(() => place.codes).toContain('57014');
    await unlock();
    await appended;
    expect(await payloads(place)).toEqual(['before', 'after']);
  });

  test('fails after a lease, says so, and has no effect', async () => {
    const place = await openPlace();
    await sql(`ALTER ROLE ${place.user} SET statement_timeout = 100`);
    await reconnect(place);
    const unlock = await lockHead(place);
    await expect(place.engine.journal.append('run', { payload: 'never' })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { problem: 'timeout', effect: 'none' },
    });
    await unlock();
    expect(await payloads(place)).toEqual(['before']);
  });
});

describe('a pool whose connections are all in use', () => {
  test('fails calls after a lease, says so, and serves them again later', async () => {
    const place = await openPlace({ max: 2 });
    // The engine listens on the other one.
    const connect = (): Promise<Connected> => place.pool.connect().catch(connect);
    const taken = await connect();
    await expect(place.engine.journal.append('run', { payload: 'never' })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { problem: 'pool', effect: 'none' },
    });
    taken.release();
    await place.engine.journal.append('run', { payload: 'after' });
    expect(await payloads(place)).toEqual(['before', 'after']);
  });
});

describe('a server that no longer accepts writes', () => {
  test('fails them after a lease, says so, and accepts them again later', async () => {
    const place = await openPlace();
    await sql(`ALTER ROLE ${place.user} SET default_transaction_read_only = on`);
    await reconnect(place);
    await expect(place.engine.journal.append('run', { payload: 'never' })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { problem: 'read-only', effect: 'none' },
    });
    expect(await payloads(place)).toEqual(['before']);
    await sql(`ALTER ROLE ${place.user} RESET default_transaction_read_only`);
    await reconnect(place);
    await place.engine.journal.append('run', { payload: 'after' });
    expect(await payloads(place)).toEqual(['before', 'after']);
  });
});

describe('rights that are taken away', () => {
  test('fail writes at once, which says so and has no effect', async () => {
    const place = await openPlace();
    const { user, schema } = place;
    await sql(`REVOKE INSERT ON "${schema}".rows FROM ${user}`);
    await expect(place.engine.journal.append('run', { payload: 'never' })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      details: { problem: 'rights', effect: 'none' },
    });
    await sql(`GRANT INSERT ON "${schema}".rows TO ${user}`);
    await place.engine.journal.append('run', { payload: 'after' });
    expect(await payloads(place)).toEqual(['before', 'after']);
  });
});
