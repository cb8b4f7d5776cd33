import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import { type Cell, vectorOf } from '../delta/cell.ts';
import type { Delta } from '../delta/delta.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { type Behaviour, type Channel, defineChannel, type Write } from './definition.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { type In, isSchema, type Out } from './standard-schema.ts';
import { channelCopy, invalidValue, otherKind } from './update/channel-error.ts';
import { checkAll } from './update/check-all.ts';
import { checkWrite } from './update/check-write.ts';
import { copyItems } from './update/copy-items.ts';
import { hasReplace, mergeValues } from './update/merge-values.ts';
import { repeatedItems, spreadList } from './update/repeated-items.ts';

/** A list of lists accepts only arrays of items, since a single item would look like several. */
export type Items<T> = [T] extends [readonly unknown[]] ? readonly T[] | null : T | readonly T[] | null;

/**
 * Appends. An array appends its items, a single value appends one item, and null appends nothing.
 *
 * @example
 * ```ts
 * graph('trip', { state: { log: list<string>() } }).node('book', () => ({ log: 'booked' }));
 * ```
 */
export function list<T>(): Channel<readonly T[], Items<T>>;
/**
 * Appends and validates every new item.
 *
 * @example
 * ```ts
 * const prices = list(z.number().positive());
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function list<S extends StandardSchemaV1>(item: S): Channel<readonly Out<S>[], Items<In<S>>>;
export function list(item?: StandardSchemaV1): Channel<readonly unknown[], unknown> {
  if (item !== undefined && !isSchema(item)) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'list(): the item type must be a Standard Schema.');
  }
  return defineChannel({
    initial: () => [],
    completesInput: false,
    appends: true,
    ...(item !== undefined && { updateSchema: () => itemsSchema(jsonSchemaOf(item)) }),
    prepare: item === undefined ? (name, value) => copyItems({ channel: name, keys: [] }, value) : checkedItems(item),
    prepareReplace: (name, value) => {
      if (!Array.isArray(value)) throw invalidValue({ channel: name, keys: [] }, 'can be replaced only by an array');
      return item === undefined ? channelCopy({ channel: name, keys: [] }, value) : checkItems(item, name, value);
    },
    merge: mergeItems,
  });
}

/** The JSON Schema of one item, or several. */
export function itemsSchema(item: unknown): unknown {
  return item === undefined ? undefined : { anyOf: [item, { type: 'array', items: item }] };
}

/** Checks one item, or several, and returns the frozen list of them. */
export function checkedItems(schema: StandardSchemaV1): Behaviour['prepare'] {
  return (channel, value) => {
    if (value === null) return frozenCopy([]);
    if (Array.isArray(value)) return checkItems(schema, channel, value);
    const checked = checkWrite(schema, { channel, keys: [] }, value);
    return checked instanceof Promise ? checked.then((each: unknown) => frozenCopy([each])) : frozenCopy([checked]);
  };
}

function checkItems(schema: StandardSchemaV1, channel: string, items: readonly unknown[]): Awaitable<unknown> {
  const checked = checkAll(items, (item, index) => checkWrite(schema, { channel, keys: [index] }, item));
  return checked instanceof Promise ? checked.then(frozenCopy) : frozenCopy(checked);
}

/** Does not read the old items: the delta of an append is the appended items. */
function mergeItems(channel: string, cell: Cell, writes: readonly Write[]): Delta | undefined {
  const current = vectorOf(cell);
  if (current === undefined) throw otherKind(channel, 'a list');
  if (writes.some((write) => repeatedItems(current, write) === 'objects')) throw spreadList(channel, 'list');
  if (hasReplace(writes)) {
    return mergeValues(cell, writes, (previous, next) =>
      frozenCopy([...(previous as unknown[]), ...(next as unknown[])]),
    );
  }
  const items =
    writes.length === 1 ? (writes[0]?.[1] as readonly unknown[]) : writes.flatMap(([, next]) => next as unknown[]);
  return items.length === 0 ? undefined : ['+', items];
}
