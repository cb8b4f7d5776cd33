import type { Engine } from '../engine/engine.ts';
import { checkRunId } from '../value/id.ts';
import type { Agent, AgentOptions } from './agent.ts';

/**
 * Opens an agent: its first life, or the next one after a shutdown or a crash. The next life has the state and the phase
 * of the newest readable checkpoint, and `recovered` describes it. A terminated agent begins again at 'init', with its
 * last state.
 *
 * @example
 * ```ts
 * const clerk = await openAgent(engine, { id: 'clerk', initial: { handled: 0 }, signals: true });
 * await clerk.transition('boot');
 * await clerk.task('ticket-4', (signal) => handle(ticket, signal));
 * await clerk.shutdown({ reason: 'deploy' });
 * ```
 *
 * @throws HOLDFAST_INVALID_ID, HOLDFAST_GRAPH_RUN, HOLDFAST_UNSERIALIZABLE
 */
export async function openAgent<AppState>(engine: Engine, options: AgentOptions<AppState>): Promise<Agent<AppState>> {
  const id = checkRunId(options.id);
  // Most programs have no agent.
  const { RunningAgent } = await import('./running-agent.ts');
  return RunningAgent.open(engine, id, options);
}
