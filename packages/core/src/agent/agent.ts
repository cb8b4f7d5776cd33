import type { Checkpoint } from '../journal/checkpoint.ts';
import type { AgentEvent, AgentPhase } from './lifecycle.ts';

/** What `openAgent` is told. */
export interface AgentOptions<AppState> {
  /** The agent's name, in every life of it. */
  readonly id: string;
  /** What a first life begins with. */
  readonly initial: AppState;
  /** Shuts down on SIGTERM and SIGINT. The exit code is then 128 and the signal's number; a second signal ends at once. */
  readonly signals?: boolean | undefined;
}

/** What an earlier life left behind. */
export interface RecoveredAgent<AppState> extends Checkpoint<AppState> {
  /** The phase that it was in; before the shutdown, if there was one. */
  readonly phase: AgentPhase;
  /** The names of the work that was in flight when the checkpoint was saved; a crash loses those of tasks begun later. */
  readonly unfinished: readonly string[];
}

/** How an agent is shut down. */
export interface ShutdownOptions {
  /** Kept with the checkpoint; default `shutdown`. */
  readonly reason?: string | undefined;
  /** How long tasks in flight may take to finish; default 10 s. Then their signals abort, and they count as unfinished. */
  readonly drainMs?: number | undefined;
}

/** What a shutdown came to. */
export interface ShutdownReport {
  /** The names of the tasks that did not finish in time. */
  readonly unfinished: readonly string[];
  /** The checkpoint that the next life begins with. */
  readonly checkpoint: string;
}

/** A long-lived agent with a loop of its own: it is shut down, and comes back as it was. */
export interface Agent<AppState> extends AsyncDisposable {
  readonly id: string;
  readonly phase: AgentPhase;
  /** As it was last given to `update`: a copy that nobody can change. */
  readonly appState: AppState;
  /** Set when a checkpoint of an earlier life was found: its phase, its reason and the names of the work in flight. */
  readonly recovered: RecoveredAgent<AppState> | undefined;
  /**
   * Goes to the next phase, durably: a life after this one, also after a crash, begins in it.
   *
   * @throws HOLDFAST_INVALID_TRANSITION, HOLDFAST_DRAINING
   */
  transition(event: AgentEvent): Promise<AgentPhase>;
  /**
   * Runs something that a shutdown waits for. The signal aborts when the drain time is over or the agent is terminated.
   * Nothing is written: a task whose name has to outlive a crash begins with `await agent.checkpoint()`.
   *
   * @throws HOLDFAST_DRAINING
   */
  task<T>(name: string, fn: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Sets the state, in memory: `checkpoint`, `transition` and `shutdown` save it. @throws HOLDFAST_DRAINING, HOLDFAST_UNSERIALIZABLE */
  update(next: AppState): void;
  /** Saves the state, the phase and the names of the tasks in flight; resolves with the checkpoint's id. @throws HOLDFAST_DRAINING */
  checkpoint(reason?: string): Promise<string>;
  /** Drains, checkpoints with the names of what is still in flight, terminates. Again: the same report. */
  shutdown(options?: ShutdownOptions): Promise<ShutdownReport>;
}
