import type { Awaitable } from '../../async/awaitable.ts';
import type { Batch, BatchResult } from '../contract/commit.ts';
import { refusalOf, tailAfter } from './batch-plan.ts';
import type { RunState } from './run-state.ts';
import type { StoreParts } from './store-parts.ts';

const done: BatchResult = { ok: true };

/**
 * Commits a batch that comes alone, to a run whose files are known: then nothing has to be read, and without a snapshot
 * there is nothing to wait for but the disk. Undefined when it has to go the way of a group.
 */
export function commitLone({ table, writer }: StoreParts, batch: Batch): Awaitable<BatchResult> | undefined {
  const known = batch.create === null ? table.atHand(batch.runId) : undefined;
  if (known === undefined) return undefined;
  const { place, state } = known;
  const why = refusalOf(batch, state.tail, undefined);
  if (why !== undefined) return { ok: false, why, found: state.tail.header };
  const tail = tailAfter(batch, state.tail);
  const { runId, records, snapshot } = batch;
  const writing = writer.write({ place, state, tail, records, snapshot, isAlone: true });
  const keep = (written: RunState): BatchResult => {
    table.set(runId, written, records);
    return done;
  };
  return writing instanceof Promise ? writing.then(keep) : keep(writing);
}
