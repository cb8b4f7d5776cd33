import type { RunsPage, RunsQuery } from '../contract/read.ts';
import { selectRuns } from '../select-runs.ts';
import type { MemoryPlace } from './memory-place.ts';

/** The headers of the runs that match the query. */
export function readRuns({ runs }: MemoryPlace, query: RunsQuery): RunsPage {
  const asked =
    query.runIds === undefined ? [...runs.values()] : [...new Set(query.runIds)].map((runId) => runs.get(runId));
  const headers = asked.flatMap((run) => run?.header() ?? []);
  return { headers: selectRuns(headers, query), corrupt: [] };
}
