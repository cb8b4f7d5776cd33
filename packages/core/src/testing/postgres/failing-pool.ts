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

/** Where a connection is cut: before or after a statement is executed, or not here. */
export type Cut = (text: string) => 'before' | 'after' | undefined;

/** A client with the socket that `pg` keeps. */
interface SocketClient extends PostgresClient {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** A pool of real connections that are really cut at some statements, whoever executes them. */
export function cutPool(pool: PostgresPool, cut: Cut): PostgresPool {
  return {
    connect: async () => cutClient((await pool.connect()) as SocketClient, cut),
    end: () => pool.end(),
  };
}

function cutClient(client: SocketClient, cut: Cut): PostgresClient {
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'query') return member.bind(target) as unknown;
      return async (query: PostgresQuery | string, ...values: unknown[]) => {
        const where = cut(typeof query === 'string' ? query : query.text);
        if (where === 'before') target.connection.stream.destroy();
        const result: unknown = await member.call(target, query, ...values);
        if (where !== 'after') return result;
        target.connection.stream.destroy();
        throw lostConnection();
      };
    },
  });
}

/** What a broken connection fails with: no word of the server. */
export function lostConnection(): Error {
  return new Error('Connection terminated unexpectedly');
}
