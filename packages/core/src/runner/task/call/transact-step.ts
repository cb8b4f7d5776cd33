import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import type { TransactionWork } from '../../../graph/body/transaction-step.ts';
import type { MadeCall, TaskRun } from '../task-run.ts';
import type { StepCallInfo } from './step-call-info.ts';

interface TransactStepOptions {
  readonly task: TaskRun;
  readonly made: MadeCall;
  readonly work: TransactionWork;
  readonly timeoutMs: number | undefined;
  readonly timeout: () => HoldfastError;
  readonly infoOf: (signal: () => AbortSignal) => StepCallInfo;
  /** A copy of the result that can be stored. */
  readonly storable: (result: unknown) => unknown;
}

/**
 * Runs the body of a step and commits what it wrote together with its result. When its time is over, the signal aborts and
 * nothing commits; the step fails once the body has ended, because the store's client is its own until then.
 */
export async function transactStep(options: TransactStepOptions): Promise<unknown> {
  const { task, made, work, timeoutMs, timeout, infoOf, storable } = options;
  const { owned, env } = task.host;
  if (!owned.transacts) throw noTransactions(made.place.name);
  const [expired, over] = [new AbortController(), new AbortController()];
  if (timeoutMs !== undefined) {
    env.clock.sleep(timeoutMs, over.signal).then(
      () => expired.abort(timeout()),
      () => undefined,
    );
  }
  const info = infoOf(() => (timeoutMs === undefined ? task.signal : AbortSignal.any([task.signal, expired.signal])));
  let value: unknown;
  try {
    await owned.transact(
      (client) => env.calls.run(task, () => work(client, info)),
      (result) => {
        expired.signal.throwIfAborted();
        if (task.isDead) throw task.signal.reason;
        value = storable(result);
        return task.entry('result', { ...made.place, ...(value !== undefined && { value }) }, made.after);
      },
    );
  } finally {
    over.abort();
  }
  return value;
}

function noTransactions(step: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `Step "${step}" is a transaction, but the store has no database of yours. Open the engine on one: sqliteStore(database), or Postgres.`,
    { details: { option: 'transaction', step } },
  );
}
