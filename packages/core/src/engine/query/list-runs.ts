import { holdfastError } from '../../errors/holdfast-error.ts';
import type { RunsQuery } from '../../store/contract/read.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { durationMs } from '../../time/duration.ts';
import { checkRunId } from '../../value/id.ts';
import { printable } from '../../value/printable.ts';
import type { RunQuery } from '../engine.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';
import type { RunSummary } from '../run.ts';
import { summaryOf } from './run-summary.ts';

const pageSize = 100;
const keys = new Set([
  'status',
  'graph',
  'node',
  'tags',
  'parentId',
  'forkOf',
  'idPrefix',
  'olderThan',
  'after',
  'limit',
]);

/** The runs that match a query, newest first. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_NOT_FOUND */
export async function* listRuns({ store, env }: EngineParts, query: RunQuery): AsyncGenerator<RunSummary> {
  const { status, forkOf: base, olderThan, limit = Number.MAX_SAFE_INTEGER, after, ...rest } = checkKeys(query);
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw invalid('limit', 'The limit of runs() must be a whole number, 0 or more.');
  const conditions = {
    ...rest,
    ...(status !== undefined && { status: typeof status === 'string' ? [status] : status }),
    ...(base !== undefined && { forkOf: base }),
    ...(olderThan !== undefined && { updatedBefore: env.clock.now() - durationMs(olderThan) }),
  };
  let from = after === undefined ? undefined : await store.header(checkRunId(after));
  if (after !== undefined && from === undefined) throw notFound(after);
  let left = limit;
  while (left > 0) {
    const size = Math.min(pageSize, left);
    const page: readonly RunHeader[] = await store.runs({
      ...(conditions as Partial<RunsQuery>),
      order: 'newest',
      after: from && { createdAt: from.createdAt, runId: from.runId },
      limit: size,
    });
    for (const header of page) yield summaryOf(header);
    left -= page.length;
    from = page.at(-1);
    if (page.length < size) return;
  }
}

/** An unknown filter would silently mean "all". */
function checkKeys(query: RunQuery): RunQuery {
  const unknown = Object.keys(query).find((key) => !keys.has(key));
  if (unknown === undefined) return query;
  throw invalid(unknown, `runs() has no filter "${printable(unknown)}". The filters are ${[...keys].join(', ')}.`);
}

function invalid(option: string, message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { option } });
}
