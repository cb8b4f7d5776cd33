import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { Batch, BatchResult, DoubtResult, Refusal } from '../contract/commit.ts';
import type { RunHeader } from '../contract/run.ts';
import type { LiveDriver } from '../live/live-driver.ts';
import type { Patience } from '../live/patience.ts';
import { type Fault, faultOf, reason, storeFault } from '../store-fault.ts';

/** The certain result of a batch, and the epoch that it was committed with. */
export type SureResult =
  | { readonly ok: true; readonly epoch: number }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

type Settled = PromiseSettledResult<SureResult>;

interface CommitOptions {
  readonly driver: LiveDriver;
  readonly batches: readonly Batch[];
  readonly patience: Patience;
}

/**
 * Commits a group and determines the result of each batch: durable, refused, or failed without effect. If it cannot, the
 * batch fails with `HOLDFAST_IN_DOUBT`. It never guesses.
 */
export async function commitForSure(options: CommitOptions): Promise<readonly Settled[]> {
  const { driver, batches } = options;
  try {
    const results = await driver.call((current) => current.commit(batches));
    if (results.length !== batches.length) throw wrongCount(results.length, batches.length);
    if (results.every(({ ok }) => ok)) return batches.map(committed);
    return await Promise.all(
      results.map((result, at) => repeatForEpoch(branchOf(options), batches[at] as Batch, result)),
    );
  } catch (error) {
    return settleFailed(options, error);
  }
}

/** Only the epoch differs: an earlier batch of the run was in doubt, and the writer does not know the new epoch. */
async function repeatForEpoch(options: CommitOptions, batch: Batch, result: BatchResult): Promise<Settled> {
  if (result.ok) return committed(batch);
  if (result.why !== 'epoch') return { status: 'fulfilled', value: result };
  if (result.epoch === batch.epoch) {
    const fault = 'The driver refused a batch because of an epoch that the driver itself returned.';
    return failed(holdfastError('HOLDFAST_STORE_CONTRACT', fault, { details: { runId: batch.runId } }));
  }
  return commitAlone(options, { ...batch, epoch: result.epoch });
}

/** The batches of a group wait side by side: each has the whole time. */
function branchOf(options: CommitOptions): CommitOptions {
  return { ...options, patience: options.patience.branch() };
}

async function commitAlone(options: CommitOptions, batch: Batch): Promise<Settled> {
  const [settled] = await commitForSure({ ...options, batches: [batch] });
  return settled as Settled;
}

/** The result of each batch of a group whose commit failed. */
async function settleFailed(options: CommitOptions, error: unknown): Promise<readonly Settled[]> {
  const { driver, batches, patience } = options;
  // The driver was not called: an earlier call had poisoned it.
  if (HoldfastError.is(error, 'HOLDFAST_STORE_POISONED')) {
    return (await driver.usableWithin(patience)) ? commitForSure(options) : batches.map(() => failed(error));
  }
  const fault = faultOf(error);
  if (fault.poisoned) driver.poison(fault.cause);
  if (fault.effect === 'unknown')
    return Promise.all(batches.map((batch) => settleDoubt(branchOf(options), batch, fault)));
  if (fault.poisoned) return batches.map(() => failed(storeFault(fault)));
  if (fault.transient && (await patience.waitsAgain())) return commitForSure(options);
  // One batch may have caused the rollback of the group: try each once by itself.
  if (batches.length > 1) return inTurn(options);
  // Retrying does not help. A corruption error already says where.
  return [failed(HoldfastError.is(fault.cause, 'HOLDFAST_CORRUPT') ? fault.cause : storeFault(fault))];
}

async function inTurn(options: CommitOptions): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  for (const batch of options.batches) settled.push(await commitAlone(options, batch));
  return settled;
}

async function settleDoubt(options: CommitOptions, batch: Batch, fault: Fault): Promise<Settled> {
  try {
    const result = await resultOfDoubt(options, batch, fault);
    if (result.outcome === 'committed') return committed(batch);
    return await repeatAbsent(options, { batch, fault, found: result.found, epoch: result.epoch });
  } catch (error) {
    return failed(error);
  }
}

/** Asks the driver, reopened if necessary, until it knows the result of the batch. @throws HOLDFAST_IN_DOUBT */
export async function resultOfDoubt(
  { driver, patience }: Pick<CommitOptions, 'driver' | 'patience'>,
  batch: Batch,
  fault: Fault,
): Promise<Exclude<DoubtResult, { readonly outcome: 'unknown' }>> {
  for (;;) {
    if (!(await driver.usableWithin(patience))) throw inDoubt(batch, fault.cause);
    let result: DoubtResult;
    try {
      result = await driver.call((current) => current.resolveDoubt(batch));
    } catch (error) {
      const { poisoned, transient, cause } = faultOf(error);
      if (poisoned) driver.poison(cause);
      else if (!(transient && (await patience.waitsAgain()))) throw inDoubt(batch, error);
      continue;
    }
    if (result.outcome === 'unknown') throw inDoubt(batch, fault.cause);
    return result;
  }
}

interface Absent {
  readonly batch: Batch;
  readonly fault: Fault;
  readonly found: RunHeader | undefined;
  readonly epoch: number;
}

/** The batch was not committed and never will be: after a transient fault, it is safe to repeat it. */
async function repeatAbsent(options: CommitOptions, { batch, fault, found, epoch }: Absent): Promise<Settled> {
  const why = overtakenBy(batch, found);
  if (why !== undefined) return { status: 'fulfilled', value: { ok: false, why, found } };
  if (fault.transient && (await options.patience.waitsAgain())) return commitAlone(options, { ...batch, epoch });
  return failed(storeFault({ ...fault, effect: 'none' }));
}

/** Why the batch would be refused now: someone else wrote meanwhile. */
function overtakenBy({ create, copy, fence, expect }: Batch, found: RunHeader | undefined): Refusal | undefined {
  if (create !== null) return found === undefined ? undefined : 'exists';
  if (found === undefined || found.hidden !== (copy !== undefined)) return 'missing';
  if (fence !== null && fence !== found.fence) return 'fence';
  return found.head === expect ? undefined : 'head';
}

function inDoubt({ runId, expect }: Batch, cause: unknown): HoldfastError {
  return holdfastError(
    'HOLDFAST_IN_DOUBT',
    `A commit to run "${runId}" after seq ${expect} may or may not have happened (${reason(cause)}). Read the run before you try again.`,
    { details: { runId, expect }, cause },
  );
}

function wrongCount(results: number, batches: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_CONTRACT',
    `The driver returned ${results} results for ${batches} batches. It must return one result per batch.`,
  );
}

function committed({ epoch }: Batch): Settled {
  return { status: 'fulfilled', value: { ok: true, epoch } };
}

function failed(error: unknown): Settled {
  return { status: 'rejected', reason: error };
}
