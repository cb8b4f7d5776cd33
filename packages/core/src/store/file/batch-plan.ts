import type { Batch, NewRun, Refusal, RunHeader } from '../contract.ts';
import type { RunState } from './run-state.ts';
import { firstSeq, plainHeader, type Tail } from './tail.ts';

/** Why a batch cannot be taken; undefined when it can. `base` is the state of the run that a new one stands on. */
export function refusalOf(batch: Batch, known: Tail | undefined, base: RunState | undefined): Refusal | undefined {
  if (batch.create !== null) {
    if (known !== undefined) return 'exists';
    return canStandOn(batch.create, base) ? undefined : 'base';
  }
  if (known === undefined || known.header.hidden) return 'missing';
  if (batch.fence !== null && batch.fence !== known.header.fence) return 'fence';
  return batch.expect === known.header.head ? undefined : 'head';
}

function canStandOn({ base, loop }: NewRun, state: RunState | undefined): boolean {
  if (base === null) return true;
  if (state === undefined || state.tail.header.hidden) return false;
  const { header } = state.tail;
  if (base.seq < firstSeq(state.tail) - 1 || base.seq > header.head || base.seq <= (header.base?.seq ?? 0))
    return false;
  return !loop || state.snapshots.some(({ seq }) => seq === base.seq);
}

/** The tail of a run after a batch that can be taken. */
export function tailAfter(batch: Batch, known: Tail | undefined): Tail {
  const before = known ?? newTail(batch.run, batch.create as NewRun);
  const { header } = before;
  const { status, step, frontier, waits, wakeAt, tags } = batch.header;
  return {
    ...nextTail(
      before,
      plainHeader({
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
      }),
    ),
    snapshots: before.snapshots + (batch.snapshot === null ? 0 : 1),
    snapshot: batch.snapshot === null ? null : { covers: batch.snapshot.covers, seq: batch.snapshot.seq },
  };
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

function newTail(run: string, created: NewRun): Tail {
  const header: RunHeader = {
    ...created,
    run,
    status: 'pending',
    step: 0,
    frontier: [],
    waits: [],
    wakeAt: null,
    tags: {},
    head: created.base?.seq ?? 0,
    floor: 0,
    updatedAt: created.createdAt,
    fence: created.worker === null ? 0 : 1,
    claims: 0,
    hidden: false,
    token: '',
  };
  return { from: 0, records: 0, rev: 0, snapshots: 0, keepTo: null, snapshot: null, dropped: [], kept: null, header };
}
