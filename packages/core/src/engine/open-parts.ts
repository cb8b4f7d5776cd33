import type { Env } from '../env/env.ts';
import { RunWriter } from '../journal/run-writer.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { Changes } from './changes.ts';
import { MessageNames } from './command/name/message-names.ts';
import { childRunsOf } from './command/parent/child-runs.ts';
import { ParentWaker } from './command/parent/parent-waker.ts';
import { QueueRoom } from './command/queue-room.ts';
import type { EngineOptions } from './engine.ts';
import { Leases } from './lease/leases.ts';
import { DueTimer } from './lease/timer/due-timer.ts';
import { Worker } from './lease/worker.ts';
import type { EngineParts } from './parts.ts';
import { LiveBus } from './query/events/live-bus.ts';
import { checkpointSeq } from './query/run-history.ts';
import { SharedStates } from './query/shared-states.ts';
import type { Registry } from './registry.ts';

interface OpenPartsOptions extends Pick<EngineOptions, 'executes' | 'retention'> {
  readonly env: Env;
  readonly store: CheckedStore;
  readonly registry: Registry;
  readonly newId: () => string;
  /** The incarnation that owns the leases. */
  readonly worker: string;
  readonly leaseMs: number;
}

/** The parts of an open engine, wired together. */
export class OpenParts implements EngineParts {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
  readonly registry: Registry;
  readonly changes: Changes;
  readonly live: LiveBus;
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly worker: Worker;
  readonly dueTimer: DueTimer;
  readonly #parentWaker: ParentWaker = new ParentWaker(this);
  readonly childRuns: EngineParts['childRuns'] = childRunsOf(this, this.#parentWaker);
  readonly queueRoom: QueueRoom = new QueueRoom();
  readonly messageNames: MessageNames = new MessageNames();
  readonly executes: boolean;
  readonly newId: () => string;
  readonly states: SharedStates;
  readonly retention: EngineParts['retention'];

  constructor(options: OpenPartsOptions) {
    const { store, registry, newId, worker, leaseMs, executes = true, retention } = options;
    const env: Env = { ...options.env, clock: store.clock };
    const { childRuns } = this;
    this.store = store;
    this.env = env;
    this.registry = registry;
    this.executes = executes;
    this.leaseMs = leaseMs;
    this.retention = retention;
    this.newId = newId;
    this.writer = new RunWriter(store, env);
    this.changes = new Changes(store, env);
    this.live = new LiveBus(() => env.clock.now());
    this.states = new SharedStates(store, (place) => checkpointSeq(store, place));
    const onOrphan = (runId: string): void => {
      if (executes) this.worker.wakeUps.later(runId);
      this.changes.tell(runId);
    };
    this.leases = new Leases({ store, env, worker, leaseMs, onOrphan });
    this.dueTimer = new DueTimer(env);
    const { leases, changes, live } = this;
    this.worker = new Worker({ store, env, leases, registry, changes, live, childRuns, executes });
  }

  /** Releases the runs that are executed here, and closes the store. */
  async close(): Promise<void> {
    this.dueTimer.close();
    this.#parentWaker.close();
    await this.worker.close();
    this.changes.close();
    await this.store.close();
    await this.env.observe?.close();
  }
}
