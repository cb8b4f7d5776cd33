import type { CheckedStore, RunsOptions } from '../store/checked-store.ts';
import type { RunsQuery } from '../store/contract/read.ts';
import type { RunHeader } from '../store/contract/run.ts';

const pageSize = 256;

/** The headers of all runs that match the conditions, oldest first, page by page. */
export async function* allRuns(
  store: CheckedStore,
  conditions: Omit<RunsQuery, 'order' | 'after' | 'limit'>,
  options: RunsOptions = {},
): AsyncGenerator<RunHeader> {
  let last: RunHeader | undefined;
  for (;;) {
    const after = last && { createdAt: last.createdAt, runId: last.runId };
    const page = await store.runs({ ...conditions, order: 'oldest', after, limit: pageSize }, options);
    yield* page;
    last = page.at(-1);
    if (page.length < pageSize) return;
  }
}

/** The header of a run, hidden or not. */
export async function anyHeader(store: CheckedStore, runId: string): Promise<RunHeader | undefined> {
  const [found] = await store.runs({ runIds: [runId], order: 'oldest', limit: 1 });
  return found;
}
