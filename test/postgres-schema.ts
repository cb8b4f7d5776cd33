// A schema on the run's Postgres server, for the tests of packages that reach core by its public exports alone.
export { sql } from '../packages/core/src/testing/postgres/postgres-places.ts';
export { testServer } from '../packages/core/src/testing/postgres/server.ts';
