import { holdfastError } from '../errors/holdfast-error.ts';
import { type Segment, segmentsOf } from '../history/lineage.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract.ts';

/** Where a run's journal lies, its own segment first; deleted bases are read through, because this run stands on them. */
export async function loadSegments(store: CheckedStore, header: RunHeader): Promise<readonly Segment[]> {
  const lineage = [header];
  for (
    let { forkedAt, floor } = header;
    forkedAt !== null && floor === 0;
    { forkedAt, floor } = lineage.at(-1) as RunHeader
  ) {
    const [below] = await store.runs({ runId: forkedAt.runId, order: 'oldest', limit: 1 });
    if (below === undefined) {
      throw holdfastError(
        'HOLDFAST_CORRUPT',
        `Run ${header.runId} stands on ${forkedAt.runId}@${forkedAt.seq}, and there is no run ${forkedAt.runId}. Run verify.`,
        { details: { where: forkedAt.runId, runId: header.runId } },
      );
    }
    lineage.push(below);
  }
  return segmentsOf(lineage);
}
