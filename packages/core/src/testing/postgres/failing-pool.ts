import type {
  PostgresClient,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from '../../store/postgres/connection/pool.ts';

/** Executes a statement, or does not, or does and says otherwise. */
export type Intercept = (query: PostgresQuery, execute: () => Promise<PostgresResult>) => Promise<PostgresResult>;

/** A pool of real connections whose statements pass through a test's hands. */
export function interceptedPool(pool: PostgresPool, intercept: Intercept): PostgresPool {
  return {
    connect: async () => intercepted(await pool.connect(), intercept),
    end: () => pool.end(),
  };
}

function intercepted(client: PostgresClient, intercept: Intercept): PostgresClient {
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query') return (query: PostgresQuery) => intercept(query, () => target.query(query));
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** What a broken connection fails with: no word of the server. */
export function lostConnection(): Error {
  return new Error('Connection terminated unexpectedly');
}
