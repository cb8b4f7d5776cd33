import { holdfastError } from '../errors/holdfast-error.ts';
import { type Segment, segmentsOf } from '../history/lineage.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';

/** Where a run's journal is, its own segment first. Deleted runs are read through, because this run was forked from them. */
export async function loadSegments(store: CheckedStore, header: RunHeader): Promise<readonly Segment[]> {
  if (header.forkedAt === null || header.floor > 0) return segmentsOf([header]);
  const loaded = await store.load({ runId: header.runId, limit: 0 });
  return lineageSegments([header, ...(loaded?.lineage ?? [])]);
}

/** The segments of a run and of all that it was forked from, nearest first. @throws HOLDFAST_CORRUPT when one is missing */
export function lineageSegments(lineage: readonly RunHeader[]): readonly Segment[] {
  const last = lineage.at(-1);
  if (last !== undefined && last.forkedAt !== null && last.floor === 0) {
    const { runId, seq } = last.forkedAt;
    throw holdfastError(
      'HOLDFAST_CORRUPT',
      `Run ${last.runId} was forked from ${runId}@${seq}, and there is no run ${runId}. Run verify.`,
      { details: { where: runId, runId: last.runId } },
    );
  }
  return segmentsOf(lineage);
}
