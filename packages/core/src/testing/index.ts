/** For tests: a store that outlives its engine, time that moves when told to, and the suite for authors of stores. */
export { memoryStore } from '../store/memory/open.ts';
export { type CrashOptions, type CrashReport, crashEverywhere } from './crash/crash-everywhere.ts';
export {
  type FaultKind,
  type FaultPlan,
  type FaultyCall,
  type FaultyMethod,
  type SeededFaultsOptions,
  scriptedFaults,
  seededFaults,
} from './fault/fault-plan.ts';
export { faultyStore } from './fault/faulty-store.ts';
export type { LateOptions } from './fault/late-commits.ts';
export { record } from './fixture/record.ts';
export { replay } from './fixture/replay.ts';
export type { ModelOptions } from './model/model-options.ts';
export type { CreatePlace, StorePlace, StoreTime } from './store-place.ts';
export { type StoreSuiteOptions, storeSuite } from './store-suite.ts';
export type { TestRunner } from './test-runner.ts';
export { type VirtualClock, virtualClock } from './virtual-clock.ts';
