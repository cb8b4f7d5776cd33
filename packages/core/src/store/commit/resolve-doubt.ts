import type { Awaitable } from '../../async/awaitable.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { Batch, BatchResult, Refusal, RunHeader, StoreDriver } from '../contract.ts';
import { type Fault, faultOf, reason, storeFault } from '../store-fault.ts';

interface SureCommitOptions {
  readonly driver: StoreDriver;
  readonly batches: readonly Batch[];
  /** Told of a fault that poisons the driver. */
  readonly onPoison: (cause: unknown) => void;
}

type Settled = PromiseSettledResult<BatchResult>;

/**
 * Commits a group and settles each batch for sure: acknowledged, refused or failed without effect. What cannot be
 * found out is `HOLDFAST_IN_DOUBT`, never a guess.
 */
export async function sureCommit(options: SureCommitOptions): Promise<readonly Settled[]> {
  try {
    return await commitOrThrow(options);
  } catch (error) {
    return settleFailed(options, error);
  }
}

/** The same for one batch, without what only a group needs, and at once where the driver answers at once. */
export function sureCommitOne(options: SureCommitOptions): Awaitable<BatchResult> {
  try {
    const results = options.driver.commit(options.batches);
    return Array.isArray(results) ? onlyResult(results) : settleOne(options, results);
  } catch (error) {
    return settleOne(options, Promise.reject(error));
  }
}

async function settleOne(options: SureCommitOptions, results: Awaitable<readonly BatchResult[]>): Promise<BatchResult> {
  try {
    return onlyResult(await results);
  } catch (error) {
    const [settled] = await settleFailed(options, error);
    if (settled?.status === 'fulfilled') return settled.value;
    throw settled?.reason;
  }
}

function onlyResult(results: readonly BatchResult[]): BatchResult {
  if (results.length !== 1) throw wrongCount(results.length, 1);
  return results[0] as BatchResult;
}

/** What became of each batch of a group that the driver failed at. */
async function settleFailed(options: SureCommitOptions, error: unknown): Promise<readonly Settled[]> {
  const { batches } = options;
  const fault = faultOf(error);
  if (fault.poisoned) return poisoned(options, fault);
  if (fault.effect === 'unknown') return Promise.all(batches.map((batch) => lookUp(options, batch, fault)));
  if (batches.length > 1) return alone(options);
  // Trying again is of no use, and where it is has to be told.
  return [failed(HoldfastError.is(fault.cause, 'HOLDFAST_CORRUPT') ? fault.cause : storeFault(fault))];
}

async function commitOrThrow({ driver, batches }: SureCommitOptions): Promise<readonly Settled[]> {
  const results = await driver.commit(batches);
  if (results.length === batches.length) return results.map((value) => ({ status: 'fulfilled', value }));
  throw wrongCount(results.length, batches.length);
}

function wrongCount(results: number, batches: number): Error {
  return holdfastError(
    'HOLDFAST_STORE_CONTRACT',
    `The driver answered ${results} results to ${batches} batches; it has to answer one each.`,
  );
}

/** What a driver that cannot be trusted shows may not be on the disk: nothing is read from it to settle a batch. */
function poisoned({ batches, onPoison }: SureCommitOptions, fault: Fault): readonly Settled[] {
  onPoison(fault.cause);
  return batches.map((batch) => failed(fault.effect === 'none' ? storeFault(fault) : inDoubt(batch, fault.cause)));
}

/** A known rollback of a group may be one batch's fault: each is tried once by itself, until the driver is poisoned. */
async function alone({ driver, batches, onPoison }: SureCommitOptions): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  let poison: Fault | undefined;
  for (const batch of batches) {
    const options = {
      driver,
      batches: [batch],
      onPoison: (cause: unknown) => {
        poison = { effect: 'none', poisoned: true, cause };
        onPoison(cause);
      },
    };
    settled.push(...(poison === undefined ? await sureCommit(options) : [failed(storeFault(poison))]));
  }
  return settled;
}

/** Reads what became of a batch whose acknowledgement was lost. */
async function lookUp({ driver, onPoison }: SureCommitOptions, batch: Batch, fault: Fault): Promise<Settled> {
  try {
    const [found] = await driver.runs({ runId: batch.runId, order: 'oldest', limit: 1 });
    if (found?.token === batch.token) return { status: 'fulfilled', value: { ok: true } };
    const unchanged = found === undefined || (batch.create === null && found.head === batch.expect);
    if (unchanged) return failed(storeFault({ ...fault, effect: 'none' }));
    return await compareRecords(driver, batch, found);
  } catch (error) {
    const { poisoned, cause } = faultOf(error);
    if (poisoned) onPoison(cause);
    return failed(inDoubt(batch, error));
  }
}

/** Somebody wrote since, so the token tells nothing; the records do, unless somebody else wrote the very same. */
async function compareRecords(driver: StoreDriver, batch: Batch, found: RunHeader): Promise<Settled> {
  const limit = batch.records.length;
  const stored = await driver.records({ runId: batch.runId, after: batch.expect, order: 'oldest', limit });
  const same = batch.records.every(({ seq, text }, at) => stored[at]?.seq === seq && stored[at]?.text === text);
  if (same && batch.fence !== null && batch.fence === found.fence) return { status: 'fulfilled', value: { ok: true } };
  const mayBeTrimmed = found.floor > batch.expect || found.hidden;
  if (same || mayBeTrimmed) return failed(inDoubt(batch, undefined));
  return { status: 'fulfilled', value: { ok: false, why: refusalOf(batch, found), found } };
}

function refusalOf({ create, fence }: Batch, found: RunHeader): Refusal {
  if (create !== null) return 'exists';
  return fence !== null && fence !== found.fence ? 'fence' : 'head';
}

function inDoubt(batch: Batch, cause: unknown): unknown {
  const because = cause === undefined ? '' : ` (${reason(cause)})`;
  return holdfastError(
    'HOLDFAST_IN_DOUBT',
    `Whether a commit of run ${batch.runId} after seq ${batch.expect} was made cannot be read${because}. Read the run again before you repeat it.`,
    { details: { runId: batch.runId, expect: batch.expect }, cause },
  );
}

function failed(error: unknown): Settled {
  return { status: 'rejected', reason: error };
}
