import type { Connection } from '../connection/connection.ts';
import { corrupt } from '../errors.ts';

/**
 * Checks what no single run shows: that every index leads to every row, that no page is lost, and that no run is gone
 * whose head is there.
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
}
