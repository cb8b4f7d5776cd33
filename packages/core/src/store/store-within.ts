import { holdfastError } from '../errors/holdfast-error.ts';
import type { StoreDriver, StoreWithin } from './contract/driver.ts';
import { storeFault } from './store-fault.ts';

async function refused(): Promise<never> {
  throw storeFault({ effect: 'none', cause: new Error('this is not possible inside a transaction') });
}

/** A driver of the part of a store that a transaction of the user sees. Leases and retention have no place there. */
export function driverWithin(inside: StoreWithin): StoreDriver {
  return {
    capabilities: { reopens: false, shared: false, groupsInFlight: 1 },
    commit: (batches) => inside.commit(batches),
    load: (query) => inside.load(query),
    records: (query) => inside.records(query),
    snapshots: (query) => inside.snapshots(query),
    ids: (query) => inside.ids(query),
    runs: (query) => inside.runs(query),
    // Only asked for the time.
    claim: async () => ({ claimed: [], corrupt: [], granted: false, nextDueAt: null, now: await inside.now() }),
    resolveDoubt: refused,
    trim: refused,
    watch: () => () => undefined,
    close: async () => undefined,
  };
}

/** The error for `within` on a store that no transaction of the user reaches. */
export function noDatabase(): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    'The option "within" needs a store in a database of yours: Postgres, or sqliteStore(database). This store is neither.',
    { details: { option: 'within' } },
  );
}

/** The error for something that is not a client of the store's database. */
export function notItsClient(what: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', `The option "within" must be ${what}.`, {
    details: { option: 'within' },
  });
}

/** The error for a client without an open transaction: nothing would bind the write to what the user writes. */
export function noTransaction(cause?: unknown): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    'The option "within" needs an open transaction: BEGIN it on that client first. Nothing was written.',
    { details: { option: 'within' }, cause },
  );
}
