import type { StandardSchemaV1 } from '@standard-schema/spec';
import { applyDelta } from '../delta/apply-delta.ts';
import { type Cell, cellOf, readCell, vectorOf } from '../delta/cell.ts';
import type { Delta, Put } from '../delta/delta.ts';
import { diffValues } from '../delta/diff-values.ts';
import { Vector } from '../delta/vector.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { type Behaviour, type Channel, defineChannel, type Write } from './definition.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { checkedItems, itemsSchema } from './list.ts';
import { type In, isSchema, type Out } from './standard-schema.ts';
import { invalidValue, otherKind } from './update/channel-error.ts';
import { copyItems } from './update/copy-items.ts';
import { hasReplace, mergeValues } from './update/merge-values.ts';
import { repeatedItems, spreadList } from './update/repeated-items.ts';

interface Message {
  readonly id?: string | undefined;
}

/** Without `object`, TypeScript would refuse a type that has no `id` at all. */
type AnyMessage = object & Message;

/**
 * Appends messages. A message with the `id` of an existing one replaces it in place.
 *
 * @example
 * ```ts
 * graph('chat', { state: { messages: messages<{ id?: string; role: 'user' | 'assistant'; content: string }>() } });
 * ```
 */
export function messages<T extends AnyMessage>(): Channel<readonly T[], T | readonly T[] | null>;
/**
 * The same, and validates every new message.
 *
 * ```ts
 * messages(z.object({ id: z.string().optional(), role: z.enum(['user', 'assistant']), content: z.string() }))
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function messages<S extends StandardSchemaV1<unknown, AnyMessage>>(
  message: S,
): Channel<readonly Out<S>[], In<S> | readonly In<S>[] | null>;
export function messages(message?: StandardSchemaV1): Channel<readonly unknown[], unknown> {
  if (message !== undefined && !isSchema(message)) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'messages(): the message type must be a Standard Schema.');
  }
  const prepare = message === undefined ? checkMessages : checkedMessages(message);
  return defineChannel({
    initial: () => [],
    completesInput: false,
    ...(message !== undefined && { updateSchema: () => itemsSchema(jsonSchemaOf(message)) }),
    prepare,
    prepareReplace: (name, value) => {
      if (!Array.isArray(value)) throw invalidValue({ channel: name, keys: [] }, 'can be replaced only by an array');
      return prepare(name, value);
    },
    merge: mergeMessages,
  });
}

function checkedMessages(schema: StandardSchemaV1): Behaviour['prepare'] {
  const items = checkedItems(schema);
  return (channel, value) => {
    const checked = items(channel, value);
    return checked instanceof Promise
      ? checked.then((each) => checkMessages(channel, each))
      : checkMessages(channel, checked);
  };
}

function checkMessages(channel: string, value: unknown): readonly unknown[] {
  const items = copyItems({ channel, keys: [] }, value);
  for (const [index, item] of items.entries()) {
    const keys = Array.isArray(value) ? [index] : [];
    if (!isPlainObject(item)) throw invalidValue({ channel, keys }, 'accepts only plain objects');
    const id = Object.hasOwn(item, 'id') ? item['id'] : undefined;
    if (id !== undefined && typeof id !== 'string') {
      throw invalidValue({ channel, keys: [...keys, 'id'] }, 'accepts only strings as ids');
    }
  }
  return items;
}

function mergeMessages(channel: string, cell: Cell, writes: readonly Write[]): Delta | undefined {
  const list = vectorOf(cell);
  if (list === undefined) throw otherKind(channel, 'a list');
  if (writes.some((write) => repeatedItems(list, write) === 'objects' && hasNameless(list)))
    throw spreadList(channel, 'messages');
  if (hasReplace(writes)) {
    return mergeValues(cell, writes, (previous, next) => together(previous as readonly unknown[], next));
  }
  return placed(list, writes);
}

/** Whether a message has no id, so that it would be added once more instead of replacing itself. */
function hasNameless(list: Vector): boolean {
  for (let at = 0; at < list.length; at += 1) if ((list.at(at) as Message).id === undefined) return true;
  return false;
}

/** The delta that messages make. */
function together(list: readonly unknown[], next: unknown): readonly unknown[] {
  const delta = placed(Vector.of(list), [['write', next]]);
  return delta === undefined ? list : (readCell(applyDelta(cellOf(list), delta)) as readonly unknown[]);
}

/** Finds the index of each message by its id, in the old list or among the earlier messages of this super-step. */
function placed(list: Vector, writes: readonly Write[]): Delta | undefined {
  const changed = new Map<number, Message>();
  const added: Message[] = [];
  const places = new Map<string, number>();
  for (const message of writes.flatMap(([, next]) => next as readonly Message[])) {
    const { id } = message;
    const old = id === undefined ? -1 : list.indexOfId(id);
    if (old >= 0) {
      changed.set(old, message);
      continue;
    }
    const place = (id === undefined ? undefined : places.get(id)) ?? added.length;
    added[place] = message;
    if (id !== undefined) places.set(id, place);
  }
  const puts: Put[] = [];
  for (const [index, message] of changed) {
    const delta = diffValues(list.at(index), message);
    if (delta !== undefined) puts.push([index, delta]);
  }
  if (puts.length > 0) return ['@', puts, added];
  return added.length === 0 ? undefined : ['+', added];
}
