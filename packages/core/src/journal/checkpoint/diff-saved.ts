import type { FoldState } from '../../delta/cell.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { type Change, changesBetween } from '../../history/diff-states.ts';
import { stateOfValues } from '../../history/snapshot-body.ts';
import { parseCursor } from '../../value/cursor.ts';
import { findCheckpoint, type IndexContext, loadCheckpoint } from './checkpoint-index.ts';

/** The changes between two checkpoints of journal runs, or the last ones before two cursors. @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_CURSOR */
export async function diffSaved(context: IndexContext, from: string, to: string): Promise<readonly Change[]> {
  return [...changesBetween(await savedState(context, from), await savedState(context, to))];
}

async function savedState(context: IndexContext, cursor: string): Promise<FoldState> {
  const { runId, seq } = parseCursor(cursor);
  // A checkpoint that was saved right after this one may cover this one's own record.
  const found = (await loadCheckpoint(context, cursor)) ?? (await findCheckpoint(context, runId, { covers: seq }));
  if (found !== undefined) return stateOfValues(found.state);
  throw holdfastError('HOLDFAST_NOT_FOUND', `Run "${runId}" has no checkpoint at or before ${cursor}.`, {
    details: { runId, checkpoint: cursor },
  });
}
