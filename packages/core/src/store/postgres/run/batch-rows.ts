/** What a batch makes of a run's rows. */
import type { Batch, CopyPart, Refusal } from '../../contract/commit.ts';
import type { HeaderState, NewRun } from '../../contract/run.ts';
import { packRecords } from './packed-row.ts';
import {
  draftBit,
  encodeStatus,
  firstSeq,
  type HeadRow,
  hiddenBit,
  isDraft,
  isHidden,
  type KnownRun,
  lastSeq,
  type RunRow,
  withStatus,
} from './run-row.ts';
import { changed, type RunWrite } from './write-runs.ts';

/** Why a batch that continues a run is refused: the first reason that holds. */
export function refusalOf(batch: Batch, known: KnownRun | undefined): Refusal | undefined {
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  const { fence, seq, epoch } = known.head;
  if (batch.fence !== null && batch.fence !== fence) return 'fence';
  if (batch.expect !== seq) return 'head';
  return batch.epoch === epoch ? undefined : 'epoch';
}

/** Parts of a copy continue what is hidden and whole. Everyone else writes to what is visible. */
function isWritable(known: KnownRun, { copy }: Batch): boolean {
  const hidden = isHidden(known.row);
  return copy === undefined ? !hidden : hidden && lastSeq(known) === known.head.seq;
}

/** Whether a fork may stand there, but for the snapshot that a journal run needs. */
export function canForkFrom({ create, copy }: Batch, found: KnownRun | undefined): boolean {
  const { forkedAt } = create as NewRun;
  if (forkedAt === null || found === undefined || (isDraft(found.row) && copy === undefined)) return false;
  const { row } = found;
  const { seq } = forkedAt;
  return seq >= firstSeq(row) - 1 && seq <= Math.max(lastSeq(found), row.floor) && seq > (row.baseSeq ?? 0);
}

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

/** What changes of the run's row; nothing with most steps. */
function rowChange(batch: Batch, row: RunRow): Partial<RunRow> {
  const { waits, wakeAt = row.wakeAt, tags } = batch.header;
  const change = {
    state: newState(batch, row.state),
    early: batch.at < row.createdAt ? 1 : row.early,
    wakeAt,
    waits: waits === undefined ? row.waits : encodeWaits(waits),
    tags: tags === undefined ? row.tags : encodeTags(tags),
    top: batch.copy === undefined ? row.top : null,
    worker: batch.release ? null : row.worker,
  };
  const names = Object.keys(change) as (keyof typeof change)[];
  return names.every((name) => change[name] === row[name]) ? {} : change;
}

function newState({ header: { status }, copy }: Batch, state: number): number {
  const visible = copy === undefined ? state : (state & ~(hiddenBit | draftBit)) | visibilityOf(copy);
  return status === undefined ? visible : withStatus(visible, status);
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

/** The write that creates a run, under a new key. */
export function creating(batch: Batch, create: NewRun, base: KnownRun | undefined, key: string): RunWrite {
  const row = newRow(batch, create, { key, base: base?.row.key ?? null });
  const start = Math.max(create.forkedAt?.seq ?? 0, batch.copy?.floor ?? 0);
  const fence = create.worker === null ? 0 : 1;
  const blank = { seq: start, fence, epoch: batch.epoch, claims: 0, step: 0, updatedAt: 0, rev: 1, frontier: '[]' };
  return {
    before: undefined,
    after: { row, head: { ...blank, ...headChange(batch, blank) }, refusals: [] },
    base: base && { trims: base.row.trims, mayBeDraft: batch.copy !== undefined },
    ...partsOf(batch, key),
  };
}

function newRow(batch: Batch, create: NewRun, keys: Pick<RunRow, 'key' | 'base'>): RunRow {
  const { status = 'pending', waits = [], wakeAt = null, tags = {} } = batch.header;
  const { forkedAt, parentId: parent, createdAt, kind, graph, version, worker } = create;
  return {
    ...keys,
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
    trims: 0,
    birth: batch.epoch,
  };
}
