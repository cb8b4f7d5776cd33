import type { Connection } from '../connection/connection.ts';
import { RowChain } from '../row/row-chain.ts';
import { IdTable } from './id-table.ts';
import { RunTable } from './run-table.ts';
import { SnapshotTable } from './snapshot-table.ts';
import { VoidTable } from './void-table.ts';

/** All that is kept of runs. */
export interface Tables {
  readonly connection: Connection;
  readonly runs: RunTable;
  readonly chain: RowChain;
  readonly ids: IdTable;
  readonly snapshots: SnapshotTable;
  readonly voids: VoidTable;
}

/** The tables behind a connection. */
export function tablesOf(connection: Connection): Tables {
  return {
    connection,
    runs: new RunTable(connection),
    chain: new RowChain(connection),
    ids: new IdTable(connection),
    snapshots: new SnapshotTable(connection),
    voids: new VoidTable(connection),
  };
}
