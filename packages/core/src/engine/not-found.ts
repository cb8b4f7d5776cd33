import { holdfastError } from '../errors/holdfast-error.ts';

/** The error for a run that does not exist, or that Holdfast does not execute. */
export function notFound(runId: string): Error {
  return holdfastError('HOLDFAST_NOT_FOUND', `No graph run "${runId}" exists. List the runs to see their ids.`, {
    details: { runId },
  });
}
