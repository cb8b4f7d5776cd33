/** What a batch makes of a run's rows. */
import type { Batch, CopyPart, Refusal } from '../contract/commit.ts';
import type { HeaderState, NewRun } from '../contract/run.ts';
import {
  draftBit,
  encodeStatus,
  firstSeq,
  hiddenBit,
  isDraft,
  isHidden,
  lastSeq,
  type TableHead,
  type TableRow,
  type TableRun,
  withStatus,
} from './table-run.ts';

/** Why a batch that continues a run is refused: the first reason that applies. */
export function refusalOf(batch: Batch, known: TableRun | undefined): Refusal | undefined {
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  const { fence, seq, epoch } = known.head;
  if (batch.fence !== null && batch.fence !== fence) return 'fence';
  if (batch.expect !== seq) return 'head';
  return batch.epoch === epoch ? undefined : 'epoch';
}

/** Parts of a copy continue what is hidden and whole. Everyone else writes to what is visible. */
function isWritable(known: TableRun, { copy }: Batch): boolean {
  const hidden = isHidden(known.row);
  return copy === undefined ? !hidden : hidden && lastSeq(known) === known.head.seq;
}

/** Whether a fork may begin there, but for the snapshot that a journal run needs. */
export function canForkFrom({ create, copy }: Batch, base: TableRun | undefined): boolean {
  const forkedAt = create?.forkedAt;
  if (!forkedAt || base === undefined || (isDraft(base.row) && copy === undefined)) return false;
  const { row } = base;
  const { seq } = forkedAt;
  return seq >= firstSeq(row) - 1 && seq <= Math.max(lastSeq(base), row.floor) && seq > (row.baseSeq ?? 0);
}

/** The row of a new run. */
export function newRow(batch: Batch, create: NewRun): TableRow {
  const { status = 'pending', waits = [], wakeAt = null, tags = {} } = batch.header;
  const { forkedAt, parentId: parent, createdAt, kind, graph, version, worker } = create;
  return {
    run: batch.runId,
    createdAt,
    kind: kind === 'graph' ? 0 : 1,
    graph,
    version,
    baseRun: forkedAt?.runId ?? null,
    baseSeq: forkedAt?.seq ?? null,
    parent,
    state: encodeStatus(status) | (batch.copy === undefined ? 0 : visibilityOf(batch.copy)),
    early: batch.at < createdAt ? 1 : 0,
    wakeAt,
    worker: batch.release ? null : worker,
    waits: encodeWaits(waits),
    tags: encodeTags(tags),
    floor: batch.copy?.floor ?? 0,
    top: null,
  };
}

/** The head of a new run, before its first batch. */
export function blankHead({ copy, epoch }: Batch, { forkedAt, worker }: NewRun): TableHead {
  const fence = worker === null ? 0 : 1;
  const seq = Math.max(forkedAt?.seq ?? 0, copy?.floor ?? 0);
  return { seq, fence, epoch, claims: 0, step: 0, frontier: '[]' };
}

/** What batches change of a row. */
export type RowChange = Partial<Pick<TableRow, 'state' | 'early' | 'wakeAt' | 'waits' | 'tags' | 'top' | 'worker'>>;

/** No change of a row, as with most steps. */
export const sameRow: RowChange = {};

/** What changes of the run's row; `sameRow` with most steps. */
export function rowChange(batch: Batch, row: TableRow): RowChange {
  const { waits: newWaits, wakeAt = row.wakeAt, tags: newTags } = batch.header;
  const state = newState(batch, row.state);
  const early = batch.at < row.createdAt ? 1 : row.early;
  const waits = newWaits === undefined ? row.waits : encodeWaits(newWaits);
  const tags = newTags === undefined ? row.tags : encodeTags(newTags);
  const top = batch.copy === undefined ? row.top : null;
  const worker = batch.release ? null : row.worker;
  const isSame = state === row.state && early === row.early && wakeAt === row.wakeAt && waits === row.waits;
  if (isSame && tags === row.tags && top === row.top && worker === row.worker) return sameRow;
  return { state, early, wakeAt, waits, tags, top, worker };
}

function newState({ header: { status }, copy }: Batch, state: number): number {
  const changed = copy === undefined ? state : (state & ~(hiddenBit | draftBit)) | visibilityOf(copy);
  return status === undefined ? changed : withStatus(changed, status);
}

function visibilityOf({ end }: CopyPart): number {
  if (end === 'seen') return 0;
  return end === 'hidden' ? hiddenBit : hiddenBit | draftBit;
}

function encodeWaits(waits: HeaderState['waits']): string | null {
  return waits.length === 0 ? null : JSON.stringify(waits);
}

function encodeTags(tags: HeaderState['tags']): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
}
