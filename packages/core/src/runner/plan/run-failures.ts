import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { RunState } from '../fold/run-state.ts';
import { asHoldfastError } from '../fold/stored-error.ts';

/** Tasks with work to do that write nothing would be tried for ever. */
export function noProgress(runId: string, head: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `Run "${runId}" has work to do at ${runId}@${head}, but none of its tasks can do it: its journal is corrupt. Run verify.`,
    { details: { runId, seq: head, where: `${runId}@${head}` } },
  );
}

/** Planning runs user code: routes, `each` and reducers. */
export function planFailure(runId: string, thrown: unknown): HoldfastError {
  return asHoldfastError(thrown, 'HOLDFAST_NODE_FAILED', `A super-step of run "${runId}"`, { runId });
}

/** Why the tasks of a cancelled run are aborted. */
export function cancelled({ runId, cancel }: RunState): HoldfastError {
  const because = cancel?.reason === undefined ? '' : `: ${cancel.reason}`;
  return holdfastError('HOLDFAST_CANCELLED', `Run "${runId}" was cancelled${because}.`, {
    details: { runId, reason: cancel?.reason },
  });
}
