import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { RunHeader } from '../store/contract/run.ts';
import type { Bounds } from '../value/bounds.ts';
import { checkTags } from '../value/check/check-tags.ts';
import { checkRunId } from '../value/id.ts';
import type { JournalRunOptions } from './checkpoint/checkpoint.ts';

/** Options of a journal run that were checked. */
export interface CheckedRunOptions {
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly parentId: string | undefined;
}

/** @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_TOO_MANY */
export function checkRunOptions(
  { tags, parentId }: JournalRunOptions,
  bounds: Pick<Bounds, 'tags'>,
): CheckedRunOptions {
  if (parentId !== undefined) checkRunId(parentId);
  return { tags: tags === undefined ? undefined : checkTags(tags, bounds), parentId };
}

/** Refuses options that a run cannot have, given what it is. @throws HOLDFAST_INVALID_OPTION */
export function refuseRunOptions(runId: string, header: RunHeader | undefined, options: CheckedRunOptions): void {
  const { tags, parentId } = options;
  if (header?.kind === 'graph' && (tags !== undefined || parentId !== undefined)) {
    throw invalid(`Run "${runId}" is a graph run: its tags are set when it is started.`, { runId });
  }
  if (parentId === runId) throw invalid(`Run "${runId}" cannot be its own parent.`, { runId, parentId });
  if (header === undefined || parentId === undefined || header.parentId === parentId) return;
  const found = header.parentId === null ? 'no parent' : `the parent "${header.parentId}"`;
  throw invalid(`Run "${runId}" already exists with ${found}. A parent is set when a run is created.`, {
    runId,
    parentId,
  });
}

function invalid(message: string, details: Readonly<Record<string, unknown>>): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details });
}
