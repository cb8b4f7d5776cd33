import { holdfastError } from '../errors/holdfast-error.ts';
import { type Segment, segmentsOf } from '../history/lineage.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract.ts';

/** Where a run's journal lies, its own segment first; deleted bases are read through, because this run stands on them. */
export async function loadSegments(store: CheckedStore, header: RunHeader): Promise<readonly Segment[]> {
  const lineage = [header];
  for (let { base, floor } = header; base !== null && floor === 0; { base, floor } = lineage.at(-1) as RunHeader) {
    const [below] = await store.runs({ run: base.run, order: 'oldest', limit: 1 });
    if (below === undefined) {
      throw holdfastError(
        'HOLDFAST_DAMAGED',
        `Run ${header.run} stands on ${base.run}@${base.seq}, and there is no run ${base.run}. Run verify.`,
        { details: { where: base.run, run: header.run } },
      );
    }
    lineage.push(below);
  }
  return segmentsOf(lineage);
}
