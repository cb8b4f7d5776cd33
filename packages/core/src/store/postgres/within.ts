import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { StoreWithin } from '../contract/driver.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { noTransaction, notItsClient } from '../store-within.ts';
import { CommitGroup } from './commit/commit-group.ts';
import { type Database, type Session, serverTime } from './connection/database.ts';
import type { PostgresClient } from './connection/pool.ts';
import { readIds, readRecords } from './read-records.ts';
import { readRuns } from './read-runs.ts';
import { HeadCache } from './run/head-cache.ts';
import { loadStoredRun } from './run/load-stored-run.ts';
import { readSnapshots } from './run/snapshots.ts';

/** The SQLSTATE of a savepoint outside a transaction. */
const noActiveTransaction = '25P01';

/** The store inside a transaction that is open on this client. Nothing of it is remembered: the user may roll it back. */
export function storeWithin(database: Database, env: Env, client: object): StoreWithin {
  if (!isClient(client)) throw notItsClient('a client of the package pg: a Client, or what pool.connect() gives');
  const inside = database.sessionOn(client);
  const session: Session & Pick<Database, 'snapshot'> = {
    rows: (sql, values) => inside.rows(sql, values).catch((error: unknown) => fail(error)),
    snapshot: (work) => work(session),
  };
  return {
    commit: (batches) =>
      underSavepoint(session, () => new CommitGroup(batches, { session, cache: new HeadCache(), env }).commit()),
    load: async (query) => (await loadStoredRun(session, query))?.stored,
    records: (query) => readRecords(session, query),
    snapshots: (query) => readSnapshots(session, query),
    ids: (query) => readIds(session, query),
    runs: (query) => readRuns(session, query),
    now: async () => {
      await session.rows('SAVEPOINT holdfast; RELEASE SAVEPOINT holdfast', []);
      const [time] = await session.rows(`SELECT ${serverTime}`, [database.givenTime()]);
      return Number(time?.[0]);
    },
    // Only the server knows. Other connections see nothing until it is committed.
    isOpen: () => false,
  };
}

function isClient(client: object): client is PostgresClient {
  // A pool would give each statement another connection.
  return 'query' in client && typeof client.query === 'function' && !('totalCount' in client);
}

/** What fails is taken back alone, so that the user's transaction can go on. */
async function underSavepoint<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.rows('SAVEPOINT holdfast', []);
  try {
    const result = await work();
    await session.rows('RELEASE SAVEPOINT holdfast', []);
    return result;
  } catch (error) {
    await session.rows('ROLLBACK TO SAVEPOINT holdfast; RELEASE SAVEPOINT holdfast', []).catch(() => undefined);
    throw error;
  }
}

/** Without the connection the user cannot commit: whatever failed has no effect, and whether to repeat it is theirs to decide. */
function fail(error: unknown): never {
  if (!HoldfastError.is(error, 'HOLDFAST_STORE_FAILED')) throw error;
  const { cause } = faultOf(error);
  if ((cause as { readonly code?: unknown } | undefined)?.code === noActiveTransaction) throw noTransaction(cause);
  throw storeFault({ effect: 'none', cause });
}
