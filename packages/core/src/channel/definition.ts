import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import type { Cell } from '../delta/cell.ts';
import type { Delta } from '../delta/delta.ts';
import type { brand } from './brand.ts';

/**
 * One channel of a state: the type of its value and of its updates.
 *
 * @example
 * ```ts
 * const longest: Channel<number> = channel({ default: () => 0, reduce: (a: number, b: number) => Math.max(a, b) });
 * ```
 */
export interface Channel<Value, Update = Value> {
  readonly [brand]: { value: Value; update: Update };
}

/** A checked write, for the reducer or bypassing it. Plain data, so that it can be journalled. */
export type Write = readonly [how: 'write' | 'replace', value: unknown];

/** The behaviour of a channel. Its name is passed to each call. */
export interface Behaviour {
  /** The value before the first write. Absent: no value. */
  readonly initial?: () => unknown;
  /** Whether to validate a run's input even if the channel is missing, for schemas with a default. */
  readonly completesInput: boolean;
  /** Whether a write adds its items, whatever is there: one that repeats all items may be a mistake. */
  readonly appends?: boolean;
  /** The JSON Schema of an update. Absent: not known. */
  readonly updateSchema?: (() => unknown) | undefined;
  /** Checks an update and returns a frozen value for `merge`. */
  readonly prepare: (channel: string, value: unknown) => Awaitable<unknown>;
  /** Checks a value that replaces the channel's value. */
  readonly prepareReplace: (channel: string, value: unknown) => Awaitable<unknown>;
  /** The delta that these writes make, in this order; undefined if nothing changes. Pure. */
  readonly merge: (channel: string, cell: Cell, writes: readonly Write[]) => Delta | undefined;
}

/** A channel, or a bare Standard Schema. */
export type ChannelDefinition = Channel<unknown, unknown> | StandardSchemaV1;

const behaviours = new WeakMap<object, Behaviour>();

/** Creates the object that represents a channel in a state declaration. */
export function defineChannel<Value, Update>(behaviour: Behaviour): Channel<Value, Update> {
  const definition = Object.freeze({});
  behaviours.set(definition, behaviour);
  return definition as Channel<Value, Update>;
}

/** The behaviour of a channel created by `defineChannel`; undefined for anything else. */
export function definedBehaviour(definition: unknown): Behaviour | undefined {
  return typeof definition === 'object' && definition !== null ? behaviours.get(definition) : undefined;
}
