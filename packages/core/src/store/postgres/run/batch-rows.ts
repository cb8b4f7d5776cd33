/** What a batch makes of a run's rows. */
import type { Batch } from '../../contract/commit.ts';
import type { NewRun } from '../../contract/run.ts';
import { blankHead, newRow, rowChange } from '../../table/batch-row.ts';
import { packRecords } from './packed-row.ts';
import type { HeadRow, KnownRun, RunRow } from './run-row.ts';
import { changed, type RunWrite } from './write-runs.ts';

/** The write that a batch makes of a run that it may continue. */
export function continuing(batch: Batch, before: KnownRun): RunWrite {
  const after = changed(before, rowChange(batch, before.row), headChange(batch, before.head));
  return { before, after, ...partsOf(batch, before.row.key) };
}

function partsOf({ records, token, ids, snapshot }: Batch, key: string): Partial<RunWrite> {
  return {
    packed: records.length === 0 ? undefined : packRecords(key, token, records),
    ids,
    snapshot: snapshot ?? undefined,
  };
}

function headChange({ header, records, fence, at }: Batch, head: HeadRow): Partial<HeadRow> {
  return {
    seq: head.seq + records.length,
    claims: fence === null ? head.claims : 0,
    step: header.superstep ?? head.step,
    updatedAt: at,
    frontier: header.frontier === undefined ? head.frontier : JSON.stringify(header.frontier),
  };
}

/** The write that creates a run, under a new key. */
export function creating(batch: Batch, create: NewRun, base: KnownRun | undefined, key: string): RunWrite {
  const row: RunRow = {
    ...newRow(batch, create),
    key,
    base: base?.row.key ?? null,
    trims: 0,
    birth: batch.epoch,
  };
  const blank: HeadRow = { ...blankHead(batch, create), updatedAt: 0, rev: 1 };
  return {
    before: undefined,
    after: { row, head: { ...blank, ...headChange(batch, blank) }, refusals: [] },
    base: base && { trims: base.row.trims, mayBeDraft: batch.copy !== undefined },
    ...partsOf(batch, key),
  };
}
