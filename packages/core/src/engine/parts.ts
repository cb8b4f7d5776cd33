import type { Env } from '../env/env.ts';
import type { RunWriter } from '../journal/run-writer.ts';
import type { ChildRuns } from '../runner/host.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Clock } from '../time/clock.ts';
import type { Changes } from './changes.ts';
import type { MessageNames } from './command/name/message-names.ts';
import type { QueueRoom } from './command/queue-room.ts';
import type { Leases } from './lease/leases.ts';
import type { DueTimer } from './lease/timer/due-timer.ts';
import type { Worker } from './lease/worker.ts';
import type { LiveBus } from './query/events/live-bus.ts';
import type { SharedStates } from './query/shared-states.ts';
import type { Registry } from './registry.ts';
import type { Retention } from './retention/retention-options.ts';

/** The parts of an engine. */
export interface EngineParts {
  readonly store: CheckedStore;
  /** Its clock is the store's: every decision uses the store's time. */
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
  /** Past states that are being read. */
  readonly states: SharedStates;
  /** The room for messages to runs. */
  readonly queueRoom: QueueRoom;
  readonly messageNames: MessageNames;
  /** What `work` deletes and prunes. */
  readonly retention: Retention | undefined;
}

/** How long a validation may take: schemas are user code and may never settle. */
export function deadlineOf({ env, store }: EngineParts): { readonly clock: Clock; readonly validationMs: number } {
  return { clock: env.clock, validationMs: store.bounds.validationMs };
}
