import type { Connection } from './connection.ts';
import { damaged } from './damaged.ts';
import type { RunNames } from './run-row.ts';

/**
 * Checks what no single run shows: that every index leads to every row, that no page is lost, and that no run is gone
 * whose head is there.
 *
 * @throws HOLDFAST_DAMAGED
 */
export function checkRuns(connection: Connection, names: RunNames): void {
  names.graphs.check();
  names.frontiers.check();
  const found = connection.value('PRAGMA integrity_check');
  if (found !== 'ok') throw damaged({}, String(found));
  const gone = connection.value(
    'SELECT (SELECT count(*) FROM heads) - (SELECT count(*) FROM runs NOT INDEXED)',
  ) as number;
  if (gone !== 0) throw damaged({ table: 'runs' }, `${Math.abs(gone)} of heads and runs are missing`);
}
