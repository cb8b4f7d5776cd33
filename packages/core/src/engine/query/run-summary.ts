import type { LeaseRefusal, RunHeader, RunStatus } from '../../store/contract/run.ts';
import { formatCursor } from '../../value/cursor.ts';
import type { RunRefusal, RunSummary } from '../graph-run.ts';
import { workerLabel } from '../lease/incarnation.ts';

/** A run's header as users see it. */
export function summaryOf(header: RunHeader): RunSummary {
  const { runId, kind, graph, version, superstep, head, createdAt, updatedAt, tags, parentId, forkedAt } = header;
  return {
    id: runId,
    kind,
    graph,
    version,
    status: shownStatus(header),
    superstep,
    head,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    tags,
    parentId,
    forkedAt: forkedAt === null ? null : formatCursor(forkedAt.runId, forkedAt.seq),
    waits: header.waits.map(({ kind, name }) => ({ kind, name })),
    wakeAt: header.wakeAt === null ? null : new Date(header.wakeAt),
    worker: header.worker === null ? null : workerLabel(header.worker),
    refusals: header.refusals.map(publicRefusal),
  };
}

/**
 * The status as users see it. A worker that leases a run writes nothing until it has something to write: its header says
 * `pending` until then, and the lease says that it executes.
 */
export function shownStatus({ status, worker }: Pick<RunHeader, 'status' | 'worker'>): RunStatus {
  return status === 'pending' && worker !== null ? 'running' : status;
}

function publicRefusal({ worker, code, message, at }: LeaseRefusal): RunRefusal {
  return { worker: workerLabel(worker), code, message, at: new Date(at) };
}

/** Whether a run has completed, failed or was cancelled. */
export function hasEnded({ status }: Pick<RunHeader, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
