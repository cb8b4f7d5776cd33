import type { Segment } from '../history/lineage.ts';
import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Located } from '../store/contract/read.ts';

/** Where a lineage knows an id from, whether its record is stored or was pruned. One call per segment: `loadJournal` finds one id in the same call. */
export async function findId(
  store: CheckedStore,
  segments: readonly Segment[],
  id: string,
): Promise<Located<KnownId> | undefined> {
  for (const { runId, upTo } of segments) {
    const [value] = await store.ids({ runId, id, upTo, limit: 1 });
    if (value !== undefined) return { runId, value };
  }
  return undefined;
}
