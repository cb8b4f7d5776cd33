import type { RunHeader } from '../../store/contract.ts';
import { formatCursor } from '../../value/cursor.ts';
import type { RunSummary } from '../run.ts';

/** A run's header as users see it. */
export function summaryOf(header: RunHeader): RunSummary {
  const { run, graph, version, status, step, head, createdAt, updatedAt, tags, parent, base, waits } = header;
  return {
    id: run,
    graph,
    version,
    status,
    step,
    head,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    tags,
    parent,
    base: base === null ? null : formatCursor(base.run, base.seq),
    waits: waits.map(({ kind, name }) => (kind === 'ask' || kind === 'receive' ? name : `${kind}:${name}`)),
  };
}

/** Whether a run will not go on by itself: it completed, failed or was cancelled. */
export function hasEnded({ status }: Pick<RunHeader, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
