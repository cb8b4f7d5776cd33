import type { Connection } from './connection.ts';
import { IdTable } from './id-table.ts';
import { LoneSteps } from './lone-steps.ts';
import { NameTable } from './name-table.ts';
import { RowChain } from './row-chain.ts';
import type { RunNames } from './run-row.ts';
import { RunTable } from './run-table.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** All that is kept of runs. */
export interface Tables {
  readonly names: RunNames;
  readonly runs: RunTable;
  readonly chain: RowChain;
  readonly lone: LoneSteps;
  readonly ids: IdTable;
  readonly snapshots: SnapshotTable;
}

/** The tables behind a connection. */
export function tablesOf(connection: Connection): Tables {
  const names = { graphs: new NameTable(connection, 'graphs'), frontiers: new NameTable(connection, 'frontiers') };
  const chain = new RowChain(connection);
  return {
    names,
    runs: new RunTable(connection, names),
    chain,
    lone: new LoneSteps(connection, chain),
    ids: new IdTable(connection),
    snapshots: new SnapshotTable(connection),
  };
}
