import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { checkName } from '../value/id.ts';
import { printable } from '../value/printable.ts';
import { schemaBehaviour } from './channel.ts';
import type { Channels } from './channels.ts';
import { type Behaviour, definedBehaviour } from './definition.ts';
import { isSchema } from './standard-schema.ts';

/** The channels of a state, in declaration order. */
export type ChannelSet = ReadonlyMap<string, Behaviour>;

/**
 * Prepares a state declaration. Runs once per graph.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID
 */
export function channelSet(channels: Channels): ChannelSet {
  const set = new Map<string, Behaviour>();
  for (const name of Object.keys(channels)) set.set(checkName('channel', name), channelBehaviour(name, channels[name]));
  return set;
}

/** Everything wrong with a state declaration, one error per channel. */
export function channelProblems(channels: Channels): readonly HoldfastError[] {
  return Object.keys(channels).flatMap((name) => {
    try {
      checkName('channel', name);
      channelBehaviour(name, channels[name]);
      return [];
    } catch (error) {
      if (HoldfastError.is(error)) return [error];
      throw error;
    }
  });
}

/**
 * The behaviour of a channel, from its definition: one of our channels, or a bare schema.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
function channelBehaviour(name: string, definition: unknown): Behaviour {
  const behaviour = definedBehaviour(definition);
  if (behaviour !== undefined) return behaviour;
  if (isSchema(definition)) return schemaBehaviour(definition);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `Channel "${printable(name)}" is neither a channel nor a Standard Schema. Use channel(), list(), messages(), map(), newest(), counter(), or a schema such as z.string().`,
    { details: { channel: name } },
  );
}
