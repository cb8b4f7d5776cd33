/** The part of a `pg.Pool` that is used. A pool of your own has to have it. */

/** A statement, its values, and a name where the server is to keep it prepared. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array';
  readonly name?: string | undefined;
}

/** What a statement returns: each row as an array of columns. */
export interface PostgresResult {
  readonly rows: readonly (readonly unknown[])[];
}

/** A message of the server beside its answer. */
export interface PostgresNotice {
  readonly severity?: string | undefined;
}

/** What another connection sent with NOTIFY. */
export interface PostgresMessage {
  readonly payload?: string | undefined;
}

/** One connection of a pool. */
export interface PostgresClient {
  /** Executes one statement. */
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** Gives the connection back to its pool, which ends one that is broken. */
  release(isBroken?: boolean): void;
  /** Listens to messages beside the answers. */
  on(event: 'notice', listener: (notice: PostgresNotice) => void): this;
  /** Listens to NOTIFY of other connections. */
  on(event: 'notification', listener: (message: PostgresMessage) => void): this;
  /** Listens to the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): this;
  /** Stops listening. */
  removeListener(event: 'notice', listener: (notice: PostgresNotice) => void): this;
  /** Stops listening. */
  removeListener(event: 'notification', listener: (message: PostgresMessage) => void): this;
  /** Stops listening. */
  removeListener(event: 'error', listener: (error: Error) => void): this;
}

/** A pool of connections to one database, such as a `pg.Pool`. */
export interface PostgresPool {
  /** A connection, as soon as one is free. */
  connect(): Promise<PostgresClient>;
  /** Closes all connections. */
  end(): Promise<void>;
  /** The server that accepted writes does not answer any more: another one may have taken its place. */
  distrust?(): void;
}
