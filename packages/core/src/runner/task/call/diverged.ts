import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { printable } from '../../../value/printable.ts';
import { parseCallKey } from '../../fold/call/call-type.ts';
import type { CallMemo } from '../../fold/run-state.ts';
import type { MissedCall } from './expected-calls.ts';

interface Divergence {
  readonly runId: string;
  readonly node: string;
  readonly item: number | undefined;
  readonly missed: readonly MissedCall[];
  /** The call that the body made instead, or what it did instead of a call. */
  readonly asked: { readonly call: string } | 'ended' | 'waits';
}

/** The error for a body that no longer makes the calls that its run has recorded. */
export function diverged({ runId, node, item, missed, asked }: Divergence): HoldfastError {
  const recorded = missed.map(({ key, call }) => `${shown(key)} (${what(key, call)})`);
  const instead =
    typeof asked === 'object' ? `asked for ${typed(asked.call)} first` : asked === 'ended' ? 'ended' : 'waits';
  const message = [
    `Node "${node}" of run "${runId}" has diverged: the journal has ${recorded.join(', ')}, but the body ${instead} without asking for ${missed.length === 1 ? 'it' : 'them'}. The run was not changed.`,
    `Continue it with the code that recorded it, name the change in \`migrate.steps\`, or accept it with resume({ accept: 'diverged' }).`,
    `If the code has not changed, the body depends on a clock, on randomness, on I/O outside of a step or on timers between parallel calls: put those in a step.`,
  ].join(' ');
  return holdfastError('HOLDFAST_DIVERGED', message, {
    details: {
      runId,
      node,
      ...(item !== undefined && { item }),
      recorded,
      asked: typeof asked === 'object' ? typed(asked.call) : asked,
    },
  });
}

/** `"name"`, or `"name" call 2` for a repeated one. */
function shown(key: string): string {
  const { name, n } = parseCallKey(key);
  return `"${printable(name)}"${n === 0 ? '' : ` call ${n + 1}`}`;
}

/** `"name"` for a step, `ask "name"` for a question, and so on. */
function typed(key: string): string {
  const { type } = parseCallKey(key);
  return type === 'step' ? shown(key) : `${type} ${shown(key)}`;
}

const settled = {
  ask: 'answered',
  sleep: 'slept',
  receive: 'received',
  child: 'a child that has ended',
  start: 'started',
  now: 'drawn',
  uuid: 'drawn',
} as const;

function what(key: string, { result, intent, wait, isOnce }: CallMemo): string {
  const { type } = parseCallKey(key);
  if (wait !== undefined) return wait.kind === 'effect' ? 'an effect with an unknown outcome' : `waiting: ${wait.kind}`;
  if (intent !== undefined) return 'an effect that has begun';
  if (isOnce === true) return 'an effect that has happened';
  if (type !== 'step') return settled[type];
  return result?.error === undefined ? 'done' : 'failed';
}
