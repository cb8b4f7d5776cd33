import type { ReadsAtOnce } from '../../compose-load.ts';
import { readRecords } from '../read-records.ts';
import { readRuns } from '../read-runs.ts';
import type { Tables } from './tables.ts';

/** The reads of a driver, in the transaction that is open. */
export function readsOf(tables: Tables): ReadsAtOnce {
  const { runs, snapshots, ids } = tables;
  return {
    runs: (query) => readRuns(tables, query),
    records: (query) => {
      const known = runs.find(query.runId);
      return known === undefined ? [] : readRecords(tables, known, query);
    },
    snapshots: (query) => {
      const known = runs.find(query.runId);
      return known === undefined ? [] : snapshots.read(known, query);
    },
    ids: (query) => {
      const known = runs.find(query.runId);
      return known === undefined ? [] : ids.read(known, query);
    },
  };
}
