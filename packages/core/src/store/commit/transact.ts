import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { Batch, BatchResult, Refusal, Transaction } from '../contract/commit.ts';
import type { StoreDriver } from '../contract/driver.ts';
import type { LiveDriver } from '../live/live-driver.ts';
import type { Patience } from '../live/patience.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { resultOfDoubt } from './resolve-doubt.ts';

/**
 * The certain result of a transaction. `absent`: nothing was written, and trying again may help. `threw`: the work failed
 * and was taken back.
 */
export type TransactResult =
  | { readonly ok: true; readonly batch: Batch }
  | { readonly ok: false; readonly why: Refusal | 'absent' }
  | { readonly ok: false; readonly why: 'threw'; readonly error: unknown };

/** The work. That it failed is remembered here. */
type Work = Omit<Transaction, 'fail'>;

interface TransactOptions {
  readonly driver: LiveDriver;
  readonly patience: Patience;
  readonly transaction: Work;
}

/** Does a transaction once, and determines its result. @throws HOLDFAST_IN_DOUBT, HOLDFAST_STORE_FAILED, HOLDFAST_STORE_POISONED */
export async function transactForSure({ driver, patience, transaction }: TransactOptions): Promise<TransactResult> {
  const attempt = new Attempt(transaction);
  try {
    const result = await driver.call((current) => transactOn(current, attempt));
    return result.ok ? { ok: true, batch: attempt.batch as Batch } : { ok: false, why: result.why };
  } catch (error) {
    if (attempt.thrown !== undefined && !isOfConnection(error, attempt.thrown.error))
      return { ok: false, why: 'threw', error: attempt.thrown.error };
    if (HoldfastError.is(error, 'HOLDFAST_STORE_POISONED')) {
      if (await driver.usableWithin(patience)) return { ok: false, why: 'absent' };
      throw error;
    }
    const fault = faultOf(error);
    if (fault.poisoned) driver.poison(fault.cause);
    // Without a batch, the transaction had not come to its commit.
    if (fault.effect === 'unknown' && attempt.batch !== undefined) {
      const { outcome } = await resultOfDoubt({ driver, patience }, attempt.batch, fault);
      return outcome === 'committed' ? { ok: true, batch: attempt.batch } : { ok: false, why: 'absent' };
    }
    if (fault.transient && (await patience.waitsAgain())) return { ok: false, why: 'absent' };
    throw storeFault({ ...fault, effect: 'none' });
  }
}

/**
 * One try of a transaction: knows afterwards whether the work failed, and which batch was about to be committed. Drivers may
 * destructure it.
 */
class Attempt implements Transaction {
  readonly #transaction: Work;
  batch: Batch | undefined;
  thrown: { readonly error: unknown } | undefined;

  constructor(transaction: Work) {
    this.#transaction = transaction;
  }

  readonly run = (client: unknown): unknown => {
    const result = this.#remember(() => this.#transaction.run(client));
    return result instanceof Promise ? result.catch((error: unknown) => this.#failed(error)) : result;
  };

  readonly batchOf = (result: unknown): Batch => {
    this.batch = this.#remember(() => this.#transaction.batchOf(result));
    return this.batch;
  };

  readonly again = (why: Refusal): Promise<boolean> =>
    this.#transaction.again(why).catch((error: unknown) => this.fail(error));

  readonly fail = (error: unknown): never => this.#failed(error);

  #remember<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): never {
    this.thrown = { error };
    throw error;
  }
}

/** Where the connection is lost, whatever the work throws says nothing about the work. */
function isOfConnection(error: unknown, thrown: unknown): boolean {
  return error !== thrown && faultOf(error).transient === true;
}

function transactOn(driver: StoreDriver, attempt: Attempt): Promise<BatchResult> {
  /* v8 ignore next -- the checked store asks before */
  if (driver.transact === undefined) throw new TypeError('The driver has no transactions.');
  return driver.transact(attempt);
}
