import type { Checkpoint, NewCheckpoint } from '../journal/checkpoint/checkpoint.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import type { RecoveredAgent } from './agent.ts';
import { type AgentPhase, isPhase } from './lifecycle.ts';

/** A snapshot of an agent. */
export interface AgentMoment {
  readonly agent: string;
  readonly appState: unknown;
  readonly phase: AgentPhase;
  readonly unfinished: readonly string[];
  readonly reason: string | undefined;
  /** Whether nobody continues it for now. */
  readonly rests: boolean;
}

/** A moment of an agent as a checkpoint. A checkpoint's state is a plain object, so any other state is boxed. */
export function momentToSave({ agent, appState, phase, unfinished, reason, rests }: AgentMoment): NewCheckpoint {
  const boxed = !isPlainObject(appState);
  return {
    state: boxed ? { value: appState } : appState,
    graph: 'agent',
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

/** The agent's earlier life, according to a checkpoint. One that was saved by hand has only the state. */
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
