import type { RunHeader } from '../../store/contract.ts';
import { formatCursor } from '../../value/cursor.ts';
import type { RunSummary } from '../run.ts';

/** A run's header as users see it. */
export function summaryOf(header: RunHeader): RunSummary {
  const { runId, graph, version, status, superstep, head, createdAt, updatedAt, tags, parentId, forkedAt, waits } =
    header;
  return {
    id: runId,
    graph,
    version,
    status,
    superstep,
    head,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    tags,
    parentId,
    forkedAt: forkedAt === null ? null : formatCursor(forkedAt.runId, forkedAt.seq),
    waits: waits.map(({ kind, name }) => (kind === 'ask' || kind === 'receive' ? name : `${kind}:${name}`)),
  };
}

/** Whether a run will not go on by itself: it completed, failed or was cancelled. */
export function hasEnded({ status }: Pick<RunHeader, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
