import type { RunsQuery } from '../../store/contract/read.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import { durationMs } from '../../time/duration.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../../value/check/check-options.ts';
import { checkRunId } from '../../value/id.ts';
import type { RunQuery } from '../engine.ts';
import type { RunSummary } from '../graph-run.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';
import { nameOf } from './get-run.ts';
import { summaryOf } from './run-summary.ts';

const pageSize = 100;
const filters: KnownOptions<RunQuery> = {
  status: true,
  graph: true,
  node: true,
  tags: true,
  parentId: true,
  forkOf: true,
  idPrefix: true,
  ids: true,
  olderThan: true,
  after: true,
  limit: true,
};

/** The runs that match a query, newest first. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_NOT_FOUND */
export async function* listRuns({ store, env }: EngineParts, query: RunQuery): AsyncGenerator<RunSummary> {
  const {
    status,
    forkOf: base,
    olderThan,
    graph,
    limit = Number.MAX_SAFE_INTEGER,
    after,
    ids,
    ...rest
  } = checkOptions('runs()', query, filters);
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw invalidOption('limit', 'The limit of runs() must be a whole number, 0 or more.');
  const wanted = typeof status === 'string' ? [status] : status;
  const conditions = {
    ...rest,
    ...(graph !== undefined && { graph: nameOf(graph) }),
    ...(wanted !== undefined && { status: storedAs(wanted) }),
    ...(ids !== undefined && { runIds: ids }),
    ...(base !== undefined && { forkOf: base }),
    ...(olderThan !== undefined && { updatedBefore: env.clock.now() - durationMs(olderThan) }),
  };
  let from = after === undefined ? undefined : await store.header(checkRunId(after));
  if (after !== undefined && from === undefined) throw notFound(after);
  let left = limit;
  while (left > 0) {
    const size = Math.min(pageSize, left);
    const after = from && { createdAt: from.createdAt, runId: from.runId };
    const pageQuery = { ...(conditions as Partial<RunsQuery>), order: 'newest', after, limit: size } as const;
    const page: readonly RunHeader[] = await store.runs(pageQuery, { onCorrupt: 'warn' });
    for (const header of page) {
      // Only a run that is asked for by its id can be a deleted one.
      if (header.hidden) continue;
      const summary = summaryOf(header);
      if (wanted?.includes(summary.status) === false) continue;
      left -= 1;
      yield summary;
    }
    from = page.at(-1);
    if (page.length < size) return;
  }
}

/** The statuses in headers that may be shown as one of these: a leased run is running, whatever its header says. */
function storedAs(wanted: readonly RunStatus[]): readonly RunStatus[] {
  return wanted.includes('running') && !wanted.includes('pending') ? [...wanted, 'pending'] : wanted;
}
