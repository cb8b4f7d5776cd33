import type { Connection } from './connection.ts';
import { IdTable } from './id-table.ts';
import { RowChain } from './row-chain.ts';
import { RunTable } from './run-table.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** All that is kept of runs. */
export interface Tables {
  readonly runs: RunTable;
  readonly chain: RowChain;
  readonly ids: IdTable;
  readonly snapshots: SnapshotTable;
}

/** The tables behind a connection. */
export function tablesOf(connection: Connection): Tables {
  return {
    runs: new RunTable(connection),
    chain: new RowChain(connection),
    ids: new IdTable(connection),
    snapshots: new SnapshotTable(connection),
  };
}
