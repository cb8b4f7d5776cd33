import type { Checkpoint } from '../journal/checkpoint/checkpoint.ts';
import type { Duration } from '../time/duration.ts';
import type { AgentEvent, AgentPhase } from './lifecycle.ts';

/**
 * Options of `openAgent`.
 *
 * @example
 * ```ts
 * const clerk = await openAgent(engine, { id: 'clerk', initial: { handled: 0 }, signals: true });
 * ```
 */
export interface AgentOptions<AppState> {
  /** The agent's name, the same in every life. */
  readonly id: string;
  /** The state of the first life. */
  readonly initial: AppState;
  /** Shuts down on SIGTERM and SIGINT. The exit code is then 128 plus the signal's number. A second signal ends the process at once. */
  readonly signals?: boolean | undefined;
}

/**
 * What an earlier life left behind.
 *
 * @example
 * ```ts
 * const { recovered } = await openAgent(engine, { id: 'clerk', initial: { handled: 0 } });
 * console.log(recovered?.unfinished); // the tasks in flight at the last checkpoint
 * ```
 */
export interface RecoveredAgent<AppState> extends Checkpoint<AppState> {
  /** The phase it was in; after a shutdown, the phase before it. */
  readonly phase: AgentPhase;
  /** The names of the tasks in flight when the checkpoint was saved. After a crash, tasks that started later are missing. */
  readonly unfinished: readonly string[];
}

/**
 * Options of a shutdown.
 *
 * @example
 * ```ts
 * await agent.shutdown({ reason: 'deploy', drain: '10s' });
 * ```
 */
export interface ShutdownOptions {
  /** Kept with the checkpoint; default `shutdown`. */
  readonly reason?: string | undefined;
  /** How long tasks in flight may take to finish; default 10 s. After that their signals abort and they count as unfinished. */
  readonly drain?: Duration | undefined;
}

/**
 * The result of a shutdown.
 *
 * @example
 * ```ts
 * const { unfinished, checkpoint } = await agent.shutdown({ reason: 'deploy' });
 * ```
 */
export interface ShutdownReport {
  /** The names of the tasks that did not finish in time. */
  readonly unfinished: readonly string[];
  /** The checkpoint that the next life begins with. */
  readonly checkpoint: string;
}

/**
 * A long-lived agent that you execute yourself. After a shutdown, it continues where it was when it is opened again.
 *
 * @example
 * ```ts
 * const handled = (clerk: Agent<{ handled: number }>): number => clerk.appState.handled;
 * ```
 */
export interface Agent<AppState> extends AsyncDisposable {
  readonly id: string;
  readonly phase: AgentPhase;
  /** A frozen copy of the state last given to `update`. */
  readonly appState: AppState;
  /** Set when an earlier life left a checkpoint: its phase, its reason and the names of the tasks in flight. */
  readonly recovered: RecoveredAgent<AppState> | undefined;
  /**
   * Moves to the next phase, durably: the next life begins in it, even after a crash.
   *
   * @throws HOLDFAST_INVALID_TRANSITION, HOLDFAST_DRAINING
   */
  transition(event: AgentEvent): Promise<AgentPhase>;
  /**
   * Runs a task that a shutdown waits for. The signal aborts when the drain time is over or the agent is terminated.
   * Nothing is saved: if the name of the task has to survive a crash, begin it with `await agent.checkpoint()`.
   *
   * @throws HOLDFAST_DRAINING
   */
  task<T>(name: string, fn: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Sets the state in memory; `checkpoint`, `transition` and `shutdown` save it. @throws HOLDFAST_DRAINING, HOLDFAST_UNSERIALIZABLE */
  update(next: AppState): void;
  /** Saves the state, the phase and the names of the tasks in flight; resolves with the checkpoint's id. @throws HOLDFAST_DRAINING */
  checkpoint(reason?: string): Promise<string>;
  /** Drains, saves a checkpoint with the names of the tasks still in flight, and terminates. A second call gives the same report. */
  shutdown(options?: ShutdownOptions): Promise<ShutdownReport>;
}
