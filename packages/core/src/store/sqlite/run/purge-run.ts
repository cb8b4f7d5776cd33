import type { Connection } from '../connection/connection.ts';

/** Everything that names a run by its key; the run itself comes last. */
const statements: readonly string[] = [
  ...['rows', 'ids', 'snapshots', 'facets', 'heads', 'refusals'].map((table) => `DELETE FROM ${table} WHERE run = ?`),
  'DELETE FROM runs WHERE key = ?',
];

/** Removes a run whose rows lead nowhere any more. It reads whole tables, so it is for corrupt runs only. */
export function purgeRun(connection: Connection, key: number): void {
  for (const statement of statements) connection.run(statement, key);
}
