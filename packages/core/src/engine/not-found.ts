import { holdfastError } from '../errors/holdfast-error.ts';
import type { RunKind } from '../store/contract/run.ts';

/** The error for a run that does not exist, or that Holdfast does not execute: of that kind. */
export function notFound(runId: string, kind?: RunKind): Error {
  const message =
    kind === 'journal'
      ? `Run "${runId}" is a journal run: your own code executes it. Use engine.journal and engine.checkpoints.`
      : `No run "${runId}" exists. List the runs to see their ids.`;
  return holdfastError('HOLDFAST_NOT_FOUND', message, { details: { runId } });
}
