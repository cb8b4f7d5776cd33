import { holdfastError } from '../../../errors/holdfast-error.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';

/** Options of a pool that we create. */
interface PoolOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ssl?: boolean | { readonly rejectUnauthorized: boolean } | undefined;
  readonly application_name?: string | undefined;
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis?: number | undefined;
  readonly allowExitOnIdle: boolean;
}

interface OwnPool extends PostgresPool {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown;
}

/** Creates a pool. */
export type CreatePool = (options: PoolOptions) => OwnPool;

interface PgModule {
  readonly Pool: new (options: PoolOptions) => OwnPool;
}

type ImportModule = (name: string) => Promise<unknown>;

/** The name is in a variable, so that neither a bundler nor the type checker asks for what only some programs have. */
const importModule: ImportModule = (name) => import(name) as Promise<unknown>;

/** The pool of the package `pg`, which is loaded when it is used. @throws HOLDFAST_DRIVER_MISSING */
export async function loadPg(load: ImportModule = importModule): Promise<CreatePool> {
  try {
    const { default: pg } = (await load('pg')) as { readonly default: PgModule };
    return (options) => new pg.Pool(options);
  } catch (cause) {
    throw holdfastError('HOLDFAST_DRIVER_MISSING', 'A postgres: store needs the package pg: npm install pg.', {
      details: { package: 'pg' },
      cause,
    });
  }
}
