import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { shortHash } from '../../../value/hash/short-hash.ts';
import { connectionFault, statementFault, warningFault } from '../errors.ts';
import { AnswerLimit, silence } from './answer-limit.ts';
import { KeptConnection } from './kept-connection.ts';
import type { PostgresClient, PostgresNotice, PostgresPool, PostgresQuery, PostgresResult } from './pool.ts';

/** A row, column by column. */
export type Row = readonly unknown[];

/** Executes statements: alone, or in a transaction. `@` before the name of a table stands for the schema. */
export interface Session {
  /** Returns the rows. Statements with few forms are kept prepared, unless a pooler is in between. */
  rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

interface DatabaseOptions {
  readonly pool: PostgresPool;
  readonly schema: string;
  /** False behind a pooler in transaction mode, which gives each statement another connection. */
  readonly named: boolean;
  readonly env: Env;
  /** How long callers try. Undefined: however long the server takes, as for a migration. */
  readonly patienceMs?: number | undefined;
}

/**
 * Our own transactions wait for nothing but the next statement. A process that stops in the middle of one, or whose machine
 * is cut off, would keep its locks as long as the server believes in the connection, and nobody could lease what it locked.
 */
const beginShort = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 3000';

/** The server's time in milliseconds. A given clock takes its place: `$1` is null otherwise. */
export const serverTime = 'coalesce($1::float8, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8)';

/** A schema of a Postgres database. */
export class Database implements Session {
  readonly schema: string;
  readonly named: boolean;
  readonly #pool: PostgresPool;
  readonly #env: Env;
  /** Asked what has become of statements that are not answered. */
  readonly kept: KeptConnection | undefined;
  readonly #limit: AnswerLimit | undefined;
  /** When something was last heard on each connection. */
  readonly #heardMs = new WeakMap<object, number>();
  /** Connections that nobody answers on any more. */
  readonly #silent = new WeakSet<object>();
  /** Nothing was answered on a connection since then: what was heard on another one before says nothing. */
  #silentSinceMs = Number.NEGATIVE_INFINITY;
  /** Nothing was answered after that. */
  #isSilent = false;
  readonly #statements = new Map<string, { readonly text: string; readonly name: string }>();

  constructor({ pool, schema, named, env, patienceMs }: DatabaseOptions) {
    this.#pool = pool;
    this.schema = schema;
    this.named = named;
    this.#env = env;
    if (patienceMs === undefined) return;
    // A server answers in real time, however fast that of the engine passes.
    const { clock } = nodeEnv;
    this.#limit = new AnswerLimit({ clock, patienceMs });
    this.kept = new KeptConnection({ clock, ms: this.#limit.limitMs / 4 });
  }

  /** The time that a caller's clock gives the store. Null, and the server's counts, where the caller brought none. */
  givenTime(): number | null {
    return this.#env.clock === nodeEnv.clock ? null : this.#env.clock.now();
  }

  /** Executes one statement, which is a transaction of its own. */
  rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#withClient((client) => this.#query(client, sql, values));
  }

  /**
   * Executes statements in one transaction. It is rolled back if the work fails. An error that is not ours may come of a lost
   * connection: then that is told instead.
   */
  transaction<T>(
    work: (session: Session, client: PostgresClient) => Promise<T>,
    begin: string = beginShort,
  ): Promise<T> {
    return this.#withClient(async (client) => {
      await this.#query(client, begin, []);
      let result: T;
      try {
        result = await work(this.sessionOn(client), client);
      } catch (error) {
        // A connection that cannot even do that is gone, and its transaction with it.
        const lost: unknown = await this.#query(client, 'ROLLBACK', []).then(() => undefined, Object);
        throw withoutEffect(lost === undefined || HoldfastError.is(error) ? error : lost);
      }
      await this.#query(client, 'COMMIT', []);
      return result;
    });
  }

  /** Executes statements on this client, in the transaction that is open there. */
  sessionOn(client: Pick<PostgresClient, 'query'>): Session {
    return { rows: (sql, values) => this.#query(client, sql, values) };
  }

  /** Reads several things as they were at one time. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.transaction(work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  /** A connection that is kept. Its errors are the caller's. */
  async connect(): Promise<PostgresClient> {
    return this.#pool.connect();
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #withClient<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let isWarned = false;
    let isBroken = false;
    const onNotice = ({ severity }: PostgresNotice): void => {
      isWarned ||= severity === 'WARNING';
    };
    // The statement in flight fails with it.
    const onError = (): void => {
      isBroken = true;
    };
    client.on('notice', onNotice).on('error', onError);
    try {
      const result = await work(client);
      if (isWarned) throw warningFault();
      return result;
    } catch (error) {
      isBroken ||= HoldfastError.is(error, 'HOLDFAST_STORE_FAILED') && error.details['transient'] === true;
      throw error;
    } finally {
      client.removeListener('notice', onNotice).removeListener('error', onError);
      client.release(isBroken);
    }
  }

  /** A connection that may be as silent as another one is not used. */
  async #connect(): Promise<PostgresClient> {
    try {
      for (;;) {
        const client = await (this.#isSilent ? this.#connectSoon() : this.#pool.connect());
        if ((this.#heardMs.get(client) ?? Number.POSITIVE_INFINITY) >= this.#silentSinceMs) return client;
        client.release(true);
      }
    } catch (error) {
      throw connectionFault(error);
    }
  }

  /** A server that did not answer a statement may not answer a new connection either. Otherwise, a pool may be in use for long. */
  async #connectSoon(): Promise<PostgresClient> {
    const connecting = this.#pool.connect();
    try {
      return await (this.#limit as AnswerLimit).within(connecting, { bytes: () => 0, verdict: async () => 'lost' });
    } catch (error) {
      void connecting.then((client) => client.release()).catch(() => undefined);
      throw error;
    }
  }

  async #query(
    client: Pick<PostgresClient, 'query'>,
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const { text, name } = this.#statement(sql);
    try {
      const isNamed = this.named && values.length > 0;
      const query: PostgresQuery = { text, values: [...values], rowMode: 'array' };
      const { rows } = await this.#answer(client, isNamed ? { ...query, name } : query);
      return rows;
    } catch (error) {
      throw statementFault(error);
    }
  }

  async #answer(client: Pick<PostgresClient, 'query'>, query: PostgresQuery): Promise<PostgresResult> {
    const limit = this.#limit;
    if (limit === undefined) return client.query(query);
    if (this.#silent.has(client)) throw silence();
    const sentMs = this.#env.monotonicMs();
    const result = await limit.within(client.query(query), {
      bytes: () => sizeOf(query.values),
      verdict: async () => (await this.kept?.verdictOn(client as PostgresClient)) ?? 'unknown',
      onSilence: () => {
        this.#silent.add(client);
        this.#isSilent = true;
        this.#silentSinceMs = Math.max(this.#silentSinceMs, sentMs);
        this.#pool.distrust?.();
      },
    });
    this.#heardMs.set(client, this.#env.monotonicMs());
    this.#isSilent = false;
    return result;
  }

  #statement(sql: string): { readonly text: string; readonly name: string } {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const text = sql.replaceAll('@', `"${this.schema}".`);
    const statement = { text, name: `holdfast-${shortHash(text)}` };
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The transaction was never committed. */
function withoutEffect(error: unknown): unknown {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) return error;
  const { code, message, details, cause } = error;
  return holdfastError(code, message, { details: { ...details, effect: 'none' }, cause });
}

/** About how much is sent: what is large is text. */
function sizeOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (Array.isArray(value) ? sizeOf(value) : 0);
  }, 0);
}
