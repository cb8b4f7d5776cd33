import type { Batch, CopyPart, Refusal } from '../../contract/commit.ts';
import type { NewRun, RunHeader, WaitHead } from '../../contract/run.ts';
import { firstSeq, lastSeq, type Tail } from '../segment/tail.ts';
import type { FileRunState } from './file-run-state.ts';

/** Why a batch is refused, but for its epoch; undefined when it is not. `base`: the state of the run that a new one forks. */
export function refusalOf(batch: Batch, known: Tail | undefined, base: FileRunState | undefined): Refusal | undefined {
  if (batch.create !== null) {
    if (known !== undefined) return 'exists';
    return canForkFrom(batch, base) ? undefined : 'base';
  }
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  if (batch.fence !== null && batch.fence !== known.header.fence) return 'fence';
  return batch.expect === known.header.head ? undefined : 'head';
}

/** Parts of a copy continue what is hidden and whole; everyone else writes to what is seen. */
function isWritable(known: Tail, { copy }: Batch): boolean {
  const { hidden, head } = known.header;
  return copy === undefined ? !hidden : hidden && lastSeq(known) === head;
}

function canForkFrom({ create, copy }: Batch, state: FileRunState | undefined): boolean {
  const { forkedAt, kind } = create as NewRun;
  if (forkedAt === null) return true;
  if (state === undefined || (state.tail.header.draft === true && copy === undefined)) return false;
  const { tail } = state;
  if (
    forkedAt.seq < firstSeq(tail) - 1 ||
    forkedAt.seq > Math.max(lastSeq(tail), tail.header.floor) ||
    forkedAt.seq <= (tail.header.forkedAt?.seq ?? 0)
  )
    return false;
  return kind === 'graph' || state.snapshots.some(({ seq }) => seq === forkedAt.seq);
}

/** The tail of a run after a batch that was not refused. */
export function tailAfter(batch: Batch, known: Tail | undefined): Tail {
  const before = known ?? newTail(batch, batch.create as NewRun);
  const { snapshot } = batch;
  return {
    from: before.from,
    records: before.records,
    rev: before.rev + 1,
    snapshots: before.snapshots + (snapshot === null ? 0 : 1),
    keepTo: batch.copy === undefined ? before.keepTo : null,
    ids: before.ids,
    snapshot: snapshot === null ? null : { covers: snapshot.covers, seq: snapshot.seq },
    dropped: [],
    kept: null,
    header: headerAfter(batch, before.header),
  };
}

/** The header with its members in a fixed order and no undefined ones, so that what is read equals what was written. */
function headerAfter(batch: Batch, before: RunHeader): RunHeader {
  const { status, superstep, frontier, waits, wakeAt, tags } = batch.header;
  const { hidden, draft } = batch.copy === undefined ? before : visibilityAfter(batch.copy);
  return {
    runId: before.runId,
    graph: before.graph,
    version: before.version,
    status: status ?? before.status,
    superstep: superstep ?? before.superstep,
    head: before.head + batch.records.length,
    frontier: frontier ?? before.frontier,
    waits: waits === undefined ? before.waits : waits.map(plainWait),
    wakeAt: wakeAt === undefined ? before.wakeAt : wakeAt,
    tags: tags ?? before.tags,
    forkedAt: before.forkedAt,
    parentId: before.parentId,
    kind: before.kind,
    createdAt: before.createdAt,
    updatedAt: batch.at,
    floor: before.floor,
    worker: batch.release ? null : before.worker,
    fence: before.fence,
    epoch: before.epoch,
    claims: batch.fence === null ? before.claims : 0,
    hidden,
    ...(draft === true && { draft }),
    refusals: batch.records.length === 0 ? before.refusals : [],
  };
}

function plainWait({ id, kind, name, node, since, until }: WaitHead): WaitHead {
  return until === undefined ? { id, kind, name, node, since } : { id, kind, name, node, since, until };
}

/** A draft until the last part of a copy, and what that one says from then on. */
function visibilityAfter({ end }: CopyPart): Pick<RunHeader, 'hidden' | 'draft'> {
  return end === null ? { hidden: true, draft: true } : { hidden: end === 'hidden' };
}

/** The tail of a run of which only the header changes. */
export function nextTail(before: Tail, header: RunHeader): Tail {
  return { ...before, rev: before.rev + 1, snapshot: null, dropped: [], kept: null, header };
}

/** The tail of a run that a worker leases. */
export function leasedTail(before: Tail, worker: string): Tail {
  const { header } = before;
  const claims = header.worker === null ? header.claims : header.claims + 1;
  return nextTail(before, { ...header, worker, fence: header.fence + 1, claims });
}

function newTail({ runId, epoch, copy }: Batch, created: NewRun): Tail {
  const floor = copy?.floor ?? 0;
  const { forkedAt } = created;
  const header: RunHeader = {
    ...created,
    forkedAt: forkedAt && { runId: forkedAt.runId, seq: forkedAt.seq },
    runId,
    status: 'pending',
    superstep: 0,
    frontier: [],
    waits: [],
    wakeAt: null,
    tags: {},
    head: Math.max(forkedAt?.seq ?? 0, floor),
    floor,
    updatedAt: created.createdAt,
    fence: created.worker === null ? 0 : 1,
    epoch,
    claims: 0,
    hidden: false,
    refusals: [],
  };
  return {
    from: 0,
    records: 0,
    rev: 0,
    snapshots: 0,
    keepTo: null,
    ids: null,
    snapshot: null,
    dropped: [],
    kept: null,
    header,
  };
}
