/** For authors of stores: the contract, and how to create a store from a driver. */
export type { Env } from '../env/env.ts';
export type { FileHandle, FileInfo, Files } from '../env/files.ts';
export type { Machine, ProcessName } from '../env/machine.ts';
export { composeLoad } from './compose-load.ts';
export type {
  Batch,
  BatchResult,
  CopyPart,
  DoubtResult,
  Refusal,
  Sealed,
  SnapshotKey,
  StoredId,
  StoredRecord,
  StoredSnapshot,
  Transaction,
} from './contract/commit.ts';
export type { Capabilities, Hint, HintListener, StoreDriver, StoreWithin } from './contract/driver.ts';
export {
  type ClaimRequest,
  type ClaimResult,
  type GraphName,
  type LeasedRun,
  loadLimit,
  type TakenFrom,
} from './contract/lease.ts';
export type {
  IdQuery,
  LoadQuery,
  Located,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from './contract/read.ts';
export type { TrimPlan, TrimResult } from './contract/retention.ts';
export type {
  ForkPoint,
  HeaderState,
  LeaseRefusal,
  NewRun,
  RunHeader,
  RunKind,
  RunStatus,
  WaitHead,
} from './contract/run.ts';
export { selectIds } from './select-ids.ts';
export { selectRuns } from './select-runs.ts';
export { compareSnapshots } from './snapshot-order.ts';
export { defineStore, type Store } from './store.ts';
export { type Fault, storeFault } from './store-fault.ts';
