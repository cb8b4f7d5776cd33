import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { type Behaviour, type Channel, defineChannel } from './definition.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { isSchema } from './standard-schema.ts';
import { channelCopy } from './update/channel-error.ts';
import { checkWrite } from './update/check-write.ts';
import { mergeValues } from './update/merge-values.ts';

interface ChannelOptions<T, U> {
  readonly default: () => T;
  readonly reduce?: (previous: T, next: U) => T;
  readonly schema?: StandardSchemaV1<unknown, T>;
}

type Reduce = (previous: unknown, next: unknown) => unknown;

/**
 * Last write wins; unset until written.
 *
 * @example
 * ```ts
 * graph('refunds', { state: { approved: channel<boolean>() } });
 * ```
 */
export function channel<T>(): Channel<T | undefined, T>;
/**
 * A custom default and reducer. The reducer must be pure and return a new value.
 *
 * @example
 * ```ts
 * const longest = channel({ default: () => 0, reduce: (a: number, b: number) => Math.max(a, b) });
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function channel<T, U = T>(options: {
  readonly default: () => T;
  readonly reduce?: (previous: T, next: U) => T;
  readonly schema?: StandardSchemaV1<unknown, T>;
}): Channel<T, U>;
export function channel<T, U>(options?: ChannelOptions<T, U>): Channel<T, U> {
  if (options === undefined) return defineChannel(lastWrite);
  const { default: initial, reduce, schema } = options;
  if (typeof initial !== 'function') throw invalidOption('"default" must be a function that returns the first value');
  if (reduce !== undefined && typeof reduce !== 'function') throw invalidOption('"reduce" must be a function');
  if (schema !== undefined && !isSchema(schema)) throw invalidOption('"schema" must be a Standard Schema');
  const check =
    schema === undefined
      ? copyOf
      : (name: string, value: unknown) => checkWrite(schema, { channel: name, keys: [] }, value);
  return defineChannel({
    initial,
    completesInput: false,
    ...(schema !== undefined && reduce === undefined && { updateSchema: () => jsonSchemaOf(schema) }),
    // With a reducer, the schema validates its result; an update may have another type.
    prepare: reduce === undefined ? check : copyOf,
    prepareReplace: check,
    merge: (name, cell, writes) =>
      mergeValues(cell, writes, reduce === undefined ? newValue : reducing({ name, reduce: reduce as Reduce, check })),
  });
}

/** The behaviour of a bare schema: last write wins, validated on every write. */
export function schemaBehaviour(schema: StandardSchemaV1): Behaviour {
  const check = (name: string, value: unknown): Awaitable<unknown> =>
    checkWrite(schema, { channel: name, keys: [] }, value);
  const updateSchema = (): unknown => jsonSchemaOf(schema);
  return { ...lastWrite, completesInput: true, updateSchema, prepare: check, prepareReplace: check };
}

const lastWrite: Behaviour = {
  completesInput: false,
  prepare: copyOf,
  prepareReplace: copyOf,
  merge: (_name, cell, writes) => mergeValues(cell, writes, newValue),
};

function newValue(_previous: unknown, next: unknown): unknown {
  return next;
}

function copyOf(name: string, value: unknown): unknown {
  return channelCopy({ channel: name, keys: [] }, value);
}

interface Reducing {
  readonly name: string;
  readonly reduce: Reduce;
  readonly check: (name: string, value: unknown) => Awaitable<unknown>;
}

/** Wraps the user's reducer: its result is checked, copied and frozen. */
function reducing({ name, reduce, check }: Reducing): Reduce {
  return (previous, next) => {
    let result: unknown;
    try {
      result = reduce(previous, next);
    } catch (cause) {
      throw reducerFailed(name, `failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    if (result === previous) return previous;
    if (result instanceof Promise)
      throw reducerFailed(name, 'returned a promise. Reducers must be synchronous; do asynchronous work in a node', {});
    const value = check(name, result);
    if (!(value instanceof Promise)) return value;
    // Nothing awaits it.
    value.catch(() => undefined);
    throw reducerFailed(name, 'has an asynchronous schema. Use a synchronous schema with a reducer', {});
  };
}

function reducerFailed(name: string, what: string, options: { readonly cause?: unknown }): Error {
  return holdfastError('HOLDFAST_REDUCER_FAILED', `The reducer of channel "${name}" ${what}.`, {
    details: { channel: name },
    ...options,
  });
}

function invalidOption(what: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', `channel(): ${what}.`);
}
