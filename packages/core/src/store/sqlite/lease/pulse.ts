import type { Connection } from '../connection/connection.ts';

/** The newest row of records, and how often runs were released: heartbeats change neither. */
const state = `SELECT coalesce((SELECT max(id) FROM rows), 0) || ' ' || coalesce((SELECT releases FROM leases), 0)`;

/**
 * Tells whether another connection has written what idle workers wait for, or a worker has died. Not everything: a worker that looks for runs
 * writes its lease, and if that were a hint to others, two idle workers would keep each other looking for ever.
 */
export function pulseOf(connection: Connection, deaths: () => number): () => unknown {
  let seen: { readonly version: unknown; readonly pulse: unknown } = { version: undefined, pulse: undefined };
  return () => {
    const version = connection.value('PRAGMA data_version');
    if (seen.version !== version) seen = { version, pulse: connection.value(state) };
    return `${String(seen.pulse)} ${deaths()}`;
  };
}
