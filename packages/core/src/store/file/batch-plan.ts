import type { Batch, NewRun, Refusal, RunHeader } from '../contract.ts';
import type { RunState } from './run-state.ts';
import { firstSeq, lastSeq, plainHeader, type Tail } from './tail.ts';

/** Why a batch cannot be taken; undefined when it can. `base` is the state of the run that a new one stands on. */
export function refusalOf(batch: Batch, known: Tail | undefined, base: RunState | undefined): Refusal | undefined {
  if (batch.create !== null) {
    if (known !== undefined) return 'exists';
    return canStandOn(batch, base) ? undefined : 'base';
  }
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  if (batch.fence !== null && batch.fence !== known.header.fence) return 'fence';
  return batch.expect === known.header.head ? undefined : 'head';
}

/** Parts of a copy go on with what is hidden and whole; everybody else with what is seen. */
function isWritable(known: Tail, { copy }: Batch): boolean {
  const { hidden, head } = known.header;
  return copy === undefined ? !hidden : hidden && lastSeq(known) === head;
}

function canStandOn({ create, copy }: Batch, state: RunState | undefined): boolean {
  const { base, loop } = create as NewRun;
  if (base === null) return true;
  if (state === undefined || (state.tail.header.hidden && copy === undefined)) return false;
  const { tail } = state;
  if (base.seq < firstSeq(tail) - 1 || base.seq > lastSeq(tail) || base.seq <= (tail.header.base?.seq ?? 0))
    return false;
  return !loop || state.snapshots.some(({ seq }) => seq === base.seq);
}

/** The tail of a run after a batch that can be taken. */
export function tailAfter(batch: Batch, known: Tail | undefined): Tail {
  const before = known ?? newTail(batch, batch.create as NewRun);
  const { header } = before;
  const { status, step, frontier, waits, wakeAt, tags } = batch.header;
  return {
    from: before.from,
    records: before.records,
    rev: before.rev + 1,
    snapshots: before.snapshots + (batch.snapshot === null ? 0 : 1),
    keepTo: batch.copy === undefined ? before.keepTo : null,
    snapshot: batch.snapshot === null ? null : { covers: batch.snapshot.covers, seq: batch.snapshot.seq },
    dropped: none,
    kept: null,
    header: plainHeader({
      ...header,
      status: status ?? header.status,
      step: step ?? header.step,
      frontier: frontier ?? header.frontier,
      waits: waits ?? header.waits,
      wakeAt: wakeAt === undefined ? header.wakeAt : wakeAt,
      tags: tags ?? header.tags,
      head: header.head + batch.records.length,
      claims: batch.fence === null ? header.claims : 0,
      worker: batch.release ? null : header.worker,
      updatedAt: batch.at,
      token: batch.token,
      ...visibilityOf(batch),
    }),
  };
}

const none: Tail['dropped'] = [];

/** A draft until the last part of a copy, and what that one says from then on. */
function visibilityOf({ copy }: Batch): Partial<Pick<RunHeader, 'hidden' | 'draft'>> {
  if (copy === undefined) return {};
  return copy.end === null ? { hidden: true, draft: true } : { hidden: copy.end === 'hidden', draft: undefined };
}

/** The tail of a run of which only the header changes. */
export function nextTail(before: Tail, header: RunHeader): Tail {
  return { ...before, rev: before.rev + 1, snapshot: null, dropped: [], kept: null, header };
}

/** The tail of a run that a worker takes. */
export function claimedTail(before: Tail, worker: string): Tail {
  const { header } = before;
  return nextTail(before, { ...header, worker, fence: header.fence + 1, claims: header.claims + 1 });
}

function newTail({ run, copy }: Batch, created: NewRun): Tail {
  const floor = copy?.floor ?? 0;
  const header: RunHeader = {
    ...created,
    run,
    status: 'pending',
    step: 0,
    frontier: [],
    waits: [],
    wakeAt: null,
    tags: {},
    head: Math.max(created.base?.seq ?? 0, floor),
    floor,
    updatedAt: created.createdAt,
    fence: created.worker === null ? 0 : 1,
    claims: 0,
    hidden: false,
    token: '',
  };
  return { from: 0, records: 0, rev: 0, snapshots: 0, keepTo: null, snapshot: null, dropped: [], kept: null, header };
}
