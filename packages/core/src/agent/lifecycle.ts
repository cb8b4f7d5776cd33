import { holdfastError } from '../errors/holdfast-error.ts';

/**
 * The phase of an agent's life.
 *
 * @example
 * ```ts
 * const isReady = (phase: AgentPhase): boolean => phase === 'active';
 * ```
 */
export type AgentPhase = 'init' | 'ready' | 'active' | 'suspended' | 'retiring' | 'terminated';

/**
 * An event that moves an agent from one phase to another.
 *
 * @example
 * ```ts
 * const begin: readonly AgentEvent[] = ['boot', 'activate'];
 * for (const event of begin) await agent.transition(event);
 * ```
 */
export type AgentEvent = 'boot' | 'activate' | 'suspend' | 'resume' | 'retire' | 'terminate' | 'abort';

/** The next phase for each event that a phase accepts. Everything else is refused. */
const lifecycle: Readonly<Record<AgentPhase, Readonly<Partial<Record<AgentEvent, AgentPhase>>>>> = {
  init: { boot: 'ready', abort: 'terminated' },
  ready: { activate: 'active', retire: 'retiring', abort: 'terminated' },
  active: { suspend: 'suspended', retire: 'retiring', abort: 'terminated' },
  suspended: { resume: 'active', retire: 'retiring', abort: 'terminated' },
  retiring: { terminate: 'terminated', abort: 'terminated' },
  terminated: { abort: 'terminated' },
};

/** Whether this names a phase. */
export function isPhase(value: unknown): value is AgentPhase {
  return typeof value === 'string' && Object.hasOwn(lifecycle, value);
}

/** The phase that an event leads to. @throws HOLDFAST_INVALID_TRANSITION */
export function nextPhase(agent: string, phase: AgentPhase, event: AgentEvent): AgentPhase {
  const next = Object.hasOwn(lifecycle[phase], event) ? lifecycle[phase][event] : undefined;
  if (next !== undefined) return next;
  const accepted = Object.keys(lifecycle[phase]).join(', ');
  throw holdfastError(
    'HOLDFAST_INVALID_TRANSITION',
    `Agent "${agent}" is in phase "${phase}", which does not accept ${JSON.stringify(event)}. It accepts ${accepted}.`,
    { details: { agent, phase, event } },
  );
}
