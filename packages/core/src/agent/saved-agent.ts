import type { Checkpoint, NewCheckpoint } from '../journal/checkpoint.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import type { RecoveredAgent } from './agent.ts';
import { type AgentPhase, isPhase } from './lifecycle.ts';

/** An agent as it is at one moment. */
export interface AgentMoment {
  readonly agent: string;
  readonly appState: unknown;
  readonly phase: AgentPhase;
  readonly unfinished: readonly string[];
  readonly reason: string | undefined;
  /** Whether nobody goes on with it for now. */
  readonly rests: boolean;
}

/** A moment of an agent as a checkpoint. A state that is no plain object is kept in a box, since a checkpoint's is one. */
export function momentToSave({ agent, appState, phase, unfinished, reason, rests }: AgentMoment): NewCheckpoint {
  const boxed = !isPlainObject(appState);
  return {
    state: boxed ? { value: appState } : appState,
    workflow: 'agent',
    label: reason ?? '',
    status: phase === 'terminated' ? 'terminal:terminated' : rests ? 'waiting' : 'running',
    metadata: {
      version: 1,
      inFlightTasks: unfinished.length,
      ...(reason !== undefined && { reason }),
      custom: { agent, phase, unfinished, ...(boxed && { boxed }) },
    },
  };
}

/** What a checkpoint tells of the agent's earlier life. One that was saved by hand tells the state only. */
export function recoveredAgent<AppState>(checkpoint: Checkpoint): RecoveredAgent<AppState> {
  const { custom } = checkpoint.metadata;
  const { phase, unfinished, boxed } = isPlainObject(custom) ? custom : {};
  const state = boxed === true ? checkpoint.state['value'] : checkpoint.state;
  return Object.freeze({
    ...checkpoint,
    state: state as AppState,
    phase: isPhase(phase) ? phase : 'init',
    unfinished: Array.isArray(unfinished) ? (unfinished as readonly string[]) : [],
  });
}
