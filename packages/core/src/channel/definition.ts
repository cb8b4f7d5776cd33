import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import type { Cell } from '../delta/cell.ts';
import type { Delta } from '../delta/delta.ts';
import type { brand } from './brand.ts';

/** One channel of a state: what it holds and what may be written to it. */
export interface Channel<Value, Update = Value> {
  readonly [brand]: { value: Value; update: Update };
}

/** A write that was checked: for the reducer, or past it. Data, so that it can stand in a journal. */
export type Write = readonly [how: 'write' | 'replace', value: unknown];

/** What a channel does; it knows its name only when it is told. */
export interface Behaviour {
  /** The value before the first write; left out: none. */
  readonly initial?: () => unknown;
  /** Whether a run's input is validated even where it says nothing, as a schema with a default wants. */
  readonly completesInput: boolean;
  /** Checks what was given as an update, and makes of it a frozen value for `merge`. */
  readonly prepare: (channel: string, value: unknown) => Awaitable<unknown>;
  /** Checks a value that is to replace the channel's. */
  readonly prepareReplace: (channel: string, value: unknown) => Awaitable<unknown>;
  /** What these writes, in this order, change in the channel's value; undefined for nothing. Changes nothing itself. */
  readonly merge: (channel: string, cell: Cell, writes: readonly Write[]) => Delta | undefined;
}

/** What may define a channel. */
export type ChannelDefinition = Channel<unknown, unknown> | StandardSchemaV1;

const behaviours = new WeakMap<object, Behaviour>();

/** Makes the value that stands for a channel in a definition. */
export function defineChannel<Value, Update>(behaviour: Behaviour): Channel<Value, Update> {
  const definition = Object.freeze({});
  behaviours.set(definition, behaviour);
  return definition as Channel<Value, Update>;
}

/** What a channel made by `defineChannel` does; undefined for anything else. */
export function definedBehaviour(definition: unknown): Behaviour | undefined {
  return typeof definition === 'object' && definition !== null ? behaviours.get(definition) : undefined;
}
