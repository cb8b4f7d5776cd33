/** For authors of stores: the contract, and how to make a store of a driver. */
export type { Env } from '../env/env.ts';
export type { FileHandle, FileInfo, Files } from '../env/files.ts';
export type {
  Batch,
  BatchResult,
  Capabilities,
  ClaimRequest,
  ClaimResult,
  CopyPart,
  ForkPoint as Base,
  GraphName,
  HeaderState,
  NewRun,
  RecordQuery,
  Refusal,
  RunHeader,
  RunStatus,
  RunsQuery,
  Sealed,
  SnapshotKey,
  SnapshotQuery,
  StoreDriver,
  StoredRecord,
  StoredSnapshot,
  TrimPlan,
  TrimResult,
  WaitHead,
} from './contract.ts';
export { reportCorruption } from './report-corruption.ts';
export { selectRuns } from './select-runs.ts';
export { compareSnapshots } from './snapshot-order.ts';
export { defineStore, type Store } from './store.ts';
export { type Fault, storeFault } from './store-fault.ts';
