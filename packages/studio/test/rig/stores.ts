// The stores that the studio is tested on: one for one machine, one for many. `npm run test:browser` takes both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sql, testServer } from '../../../../test/postgres-schema.ts';

/** True in `npm run test:browser`. The everyday suite has the main paths, on SQLite. */
const isAll = process.env['HOLDFAST_BROWSER'] === 'all';

type Url = `sqlite:${string}` | `postgres://${string}`;

async function newSqlite(): Promise<Url> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-studio-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'runs.db')}`;
}

let created = 0;

async function newPostgres(): Promise<Url> {
  created += 1;
  const schema = `studio_${process.pid}_${created}`;
  const { href } = new URL(await testServer());
  onTestFinished(async () => {
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });
  return `${href}?schema=${schema}` as Url;
}

const stores: Readonly<Record<string, () => Promise<Url>>> = isAll
  ? { SQLite: newSqlite, Postgres: newPostgres }
  : { SQLite: newSqlite };

let create = newSqlite;

/** Ends what hangs, and nothing else: on a busy machine, looking at every page takes long. */
const longestMs = 3_600_000;

/** Does something with new stores of a kind. */
async function onStore(make: () => Promise<Url>, body: () => Promise<void>): Promise<void> {
  create = make;
  try {
    await body();
  } finally {
    create = newSqlite;
  }
}

/** A test of the studio on each kind of store. */
export function testStudio(name: string, body: () => Promise<void>): void {
  for (const [store, make] of Object.entries(stores))
    test(`${name} (on ${store})`, async () => {
      expect.hasAssertions();
      await onStore(make, body);
    });
}

/** A test that takes too long for every day: on each kind of store in `npm run test:browser`, otherwise not at all. */
export function testStudioAtLength(name: string, body: (store: string) => Promise<void>): void {
  for (const [store, make] of Object.entries(stores))
    test.runIf(isAll)(`${name} (on ${store}, in npm run test:browser)`, { timeout: longestMs }, async () => {
      expect.hasAssertions();
      await onStore(make, () => body(store));
    });
}

/** The URL of a new, empty store of the kind that the test is about. It is gone when the test has ended. */
export function newStoreUrl(): Promise<Url> {
  return create();
}
