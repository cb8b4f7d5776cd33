import { corrupt } from '../../table/corrupt.ts';
import { statesOf } from '../../table/table-run.ts';
import type { Connection } from '../connection/connection.ts';
import { removedMark, removedState } from './run-row.ts';
import { VoidTable } from './void-table.ts';

const listed = [...statesOf({}), ...statesOf({ hidden: true })].join(', ');
/** A run in a state that no list has, and that was not removed. */
const lost = `SELECT run FROM runs NOT INDEXED
  WHERE state NOT IN (${listed}) AND (state <> ${removedState} OR substr(run, 1, 1) <> '${removedMark}') LIMIT 1`;

/**
 * Checks what no single run shows: that every index leads to every row, that no page is lost, that every id has its run, and
 * that no run is gone whose head is there, or is in no list. And the epochs of runs that do not exist.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function checkRuns(connection: Connection): void {
  const found = connection.value('PRAGMA integrity_check');
  if (found !== 'ok') throw corrupt({}, String(found));
  const gone = connection.value(
    'SELECT (SELECT count(*) FROM heads) - (SELECT count(*) FROM runs NOT INDEXED)',
  ) as number;
  if (gone !== 0) throw corrupt({ table: 'runs' }, `${Math.abs(gone)} of heads and runs are missing`);
  // An id of a trimmed record is found in no other way.
  const stray = connection.value('SELECT id FROM ids WHERE run NOT IN (SELECT key FROM runs) LIMIT 1');
  if (stray !== undefined) throw corrupt({ table: 'ids' }, `the id ${String(stray)} belongs to no run`);
  const runId = connection.value(lost);
  if (runId !== undefined) throw corrupt({ table: 'runs', runId: String(runId) }, 'its state is invalid');
  new VoidTable(connection).check();
}
