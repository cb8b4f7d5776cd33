import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunsPage, RunsQuery } from '../contract/read.ts';
import type { RunHeader } from '../contract/run.ts';
import { isCorruption } from '../is-corruption.ts';
import { selectRuns } from '../select-runs.ts';
import type { RunTable } from './run/run-table.ts';

/** Answers a query for runs from what the writer knows of all of them. */
export function readRuns(table: RunTable, query: RunsQuery): RunsPage {
  if (query.runIds === undefined) {
    return { headers: selectRuns(table.headers(), query), corrupt: table.corruption() };
  }
  return pageOf(
    [...new Set(query.runIds)].map((runId) => headerOrError(() => table.tail(runId)?.header)),
    query,
  );
}

/** A page of headers that were read one by one, some of which may be corrupt. */
export function pageOf(found: readonly (RunHeader | HoldfastError | undefined)[], query: RunsQuery): RunsPage {
  const corrupt = found.filter((each) => HoldfastError.is(each));
  const headers = found.filter((each): each is RunHeader => each !== undefined && !HoldfastError.is(each));
  return { headers: selectRuns(headers, query), corrupt };
}

function headerOrError(read: () => RunHeader | undefined): RunHeader | HoldfastError | undefined {
  try {
    return read();
  } catch (error) {
    if (isCorruption(error)) return error;
    throw error;
  }
}
