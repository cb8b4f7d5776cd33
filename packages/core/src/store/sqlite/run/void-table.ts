import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import { corrupt } from '../../table/corrupt.ts';
import type { Connection } from '../connection/connection.ts';

/** How long the epoch of a run that does not exist is kept. */
const keptMs = 86_400_000;

interface VoidRow {
  readonly epoch: number;
  readonly at: number;
  readonly sum: number;
}

/** The epochs of runs that do not exist: their creation was in doubt, or they were removed. A late commit is refused. */
export class VoidTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws HOLDFAST_CORRUPT */
  epochOf(runId: string): number {
    const row = this.#connection.get('SELECT epoch, at, sum FROM voids WHERE run = ?', runId) as VoidRow | undefined;
    if (row === undefined) return 0;
    checkSum(runId, row);
    return row.epoch;
  }

  /** Reads all of them. @throws HOLDFAST_CORRUPT */
  check(): void {
    const rows = this.#connection.all('SELECT run, epoch, at, sum FROM voids') as readonly (VoidRow & {
      run: string;
    })[];
    for (const row of rows) checkSum(row.run, row);
  }

  /** Drops those that are a day old as well. */
  put(runId: string, { epoch, at }: Omit<VoidRow, 'sum'>): void {
    this.#connection.run('DELETE FROM voids WHERE at < ?', at - keptMs);
    const sql = 'INSERT OR REPLACE INTO voids (run, epoch, at, sum) VALUES (?, ?, ?, ?)';
    this.#connection.run(sql, runId, epoch, at, sumOfVoid(runId, { epoch, at }));
  }

  remove(runId: string): void {
    this.#connection.run('DELETE FROM voids WHERE run = ?', runId);
  }
}

function checkSum(runId: string, row: VoidRow): void {
  if (sumOfVoid(runId, row) !== row.sum) throw corrupt({ table: 'voids', runId }, 'its checksum does not match');
}

function sumOfVoid(runId: string, { epoch, at }: Omit<VoidRow, 'sum'>): number {
  return [runId, epoch, at].reduce<number>(addToSum, emptySum);
}
