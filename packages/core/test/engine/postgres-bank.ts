import { randomUUID } from 'node:crypto';
import type { Engine, EngineOptions, Store } from 'holdfast';
import type { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { giveBack, sql, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { testServer } from '../../src/testing/postgres/server.ts';
import { placeOn } from './every-place.ts';

/** A table of a user beside the runs, in the same database. */
export interface PostgresBank {
  readonly schema: string;
  readonly store: Store;
  readonly table: string;
  /** The ids that were charged, in order. */
  readonly charges: () => Promise<readonly unknown[]>;
  readonly open: (options: EngineOptions) => Promise<Engine>;
  /** A connection of the user. */
  readonly connect: () => Promise<Client>;
}

let created = 0;

/** A schema with an empty store, and a table of charges. */
export async function openPostgresBank(): Promise<PostgresBank> {
  const schema = await takeSchema();
  created += 1;
  // Test processes share the database.
  const table = `public.charges_${process.pid}_${created}_${randomUUID().slice(0, 8)}`;
  await sql(`CREATE TABLE ${table} (id text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED)`);
  onTestFinished(async () => {
    await giveBack(schema);
    await sql(`DROP TABLE ${table}`);
  });
  const store = storeIn(schema);
  return {
    schema,
    store,
    table,
    charges: async () => (await sql(`SELECT id FROM ${table} ORDER BY id`)).map(([id]) => id),
    open: (options) => placeOn(store).open(options),
    connect: connectUser,
  };
}

async function connectUser(): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await testServer() });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}
