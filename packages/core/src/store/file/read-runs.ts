import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunsPage, RunsQuery } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { selectRuns } from '../select-runs.ts';
import type { RunRegistry } from './run/run-registry.ts';

/** Answers a query for runs from what the writer knows of all of them. */
export function readRuns(table: RunRegistry, query: RunsQuery): RunsPage {
  if (query.runIds === undefined) {
    return { headers: selectRuns(table.headers(), query), corrupt: table.corruption() };
  }
  const found = [...new Set(query.runIds)].map((runId) => table.corruptionOf(runId) ?? table.tail(runId)?.header);
  return pageOf(found, query);
}

/** A page of headers that were read one by one, some of which may be corrupt. */
export function pageOf(found: readonly (RunHeader | HoldfastError | undefined)[], query: RunsQuery): RunsPage {
  const corrupt = found.filter((each) => HoldfastError.is(each));
  const headers = found.filter((each): each is RunHeader => each !== undefined && !HoldfastError.is(each));
  return { headers: selectRuns(headers, query), corrupt };
}
