import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader, RunsQuery } from '../store/contract.ts';

const pageSize = 256;

/** The headers of all runs that meet the conditions, oldest first, page by page; hidden ones only if asked for. */
export async function* allRuns(
  store: CheckedStore,
  conditions: Omit<RunsQuery, 'order' | 'after' | 'limit'>,
): AsyncGenerator<RunHeader> {
  let last: RunHeader | undefined;
  for (;;) {
    const after = last && { createdAt: last.createdAt, runId: last.runId };
    const page = await store.runs({ ...conditions, order: 'oldest', after, limit: pageSize });
    yield* page;
    last = page.at(-1);
    if (page.length < pageSize) return;
  }
}
