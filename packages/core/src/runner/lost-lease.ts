import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';

/** After this many lost races in a row, something else is wrong. */
export const maxTries = 100;

/** Other writers were always faster. */
export function overtaken(runId: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Run "${runId}" has too many concurrent writers: ${maxTries} attempts were refused. It continues later.`,
    { details: { runId } },
  );
}

/** Another worker leases the run. */
export function leaseLost(runId: string, why: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_LEASE_LOST',
    `This worker no longer leases run "${runId}" (${why}). Another worker continues it.`,
    {
      details: { runId, why },
    },
  );
}
