// A Postgres store for tests of packages that reach core by its public names alone.
import type { Store } from 'holdfast';
import { onTestFinished } from 'vitest';
import { postgresTestStore } from '../packages/core/src/testing/postgres/postgres-places.ts';

/** A new, empty store on the run's Postgres server, gone when the test has ended. */
export function newPostgresStore(): Store {
  return postgresTestStore(onTestFinished);
}
