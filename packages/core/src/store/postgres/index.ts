/** A store in a Postgres database, for any number of processes and machines. */
export { examinePostgres, type PostgresReport } from './connection/examine.ts';
export type {
  PostgresClient,
  PostgresMessage,
  PostgresNotice,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from './connection/pool.ts';
export { type PostgresStoreOptions, postgresStore } from './open.ts';
export { type TransactionClient, type TransactionResult, transaction } from './transaction.ts';
