import type { Env } from '../env/env.ts';
import type { PrunePolicy } from '../journal/prune-policy.ts';
import type { RunWriter } from '../journal/run-writer.ts';
import type { ChildRuns } from '../runner/host.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Changes } from './changes.ts';
import type { DueTimer } from './lease/due-timer.ts';
import type { Leases } from './lease/leases.ts';
import type { Worker } from './lease/worker.ts';
import type { LiveBus } from './query/live-bus.ts';
import type { SharedStates } from './query/shared-states.ts';
import type { Registry } from './registry.ts';

/** What an engine is made of. */
export interface EngineParts {
  readonly store: CheckedStore;
  /** Its clock is the store's: every time that decides something is. */
  readonly env: Env;
  readonly writer: RunWriter;
  readonly registry: Registry;
  readonly changes: Changes;
  readonly live: LiveBus;
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly worker: Worker;
  readonly dueTimer: DueTimer;
  readonly childRuns: ChildRuns;
  /** Whether runs are executed here at all. */
  readonly executes: boolean;
  readonly newId: () => string;
  /** States of the past that are being looked at. */
  readonly states: SharedStates;
  /** What `work` prunes. */
  readonly retention: PrunePolicy | undefined;
}
