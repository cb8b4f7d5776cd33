import { ApiError, invalidRequest } from '../api-error.ts';
import type { StateItem, StateNode } from '../schema/types.ts';
import { plain } from './plain.ts';
import { type Hiding, itemsOf } from './hiding.ts';
import { pointerKeys, type Redactor } from './redact.ts';

/** Which part of a state. */
export interface Slice {
  /** A JSON pointer; empty for the whole state. */
  readonly path: string;
  readonly from: number;
  readonly n: number;
  readonly depth: number;
}

/** A text longer than this is cut; its `size` says how long it is. */
const maxText = 10_000;
/** A slice never has more values than this, however it is asked for. */
const maxNodes = 5_000;
/** How many items of a nested list are shown. */
const maxNested = 100;

/** A part of a state as a tree that says what was left out. @throws ApiError */
export function sliceOf(state: unknown, { path, from, n, depth }: Slice, redactor: Redactor, maxLength: number): StateNode {
  const keys = pointerKeys(path);
  if (keys === undefined) throw invalidRequest('path must be a JSON pointer, such as /messages/0.');
  let value = state;
  let hiding = redactor.at(['state']);
  for (const key of keys) {
    if (hiding.isWhole) return { kind: 'redacted' };
    const inner = within(value, key, path);
    hiding = value instanceof Map ? hiding.item(Number(key), inner, true) : hiding.in(key);
    value = inner;
  }
  return new SliceReader(maxLength).node(value, { hiding, from, n, depth });
}

interface Window {
  readonly hiding: Hiding;
  readonly from: number;
  readonly n: number;
  readonly depth: number;
}

class SliceReader {
  #left = maxNodes;
  #lengthLeft: number;

  constructor(maxLength: number) {
    this.#lengthLeft = maxLength;
  }

  node(value: unknown, { hiding, from, n, depth }: Window): StateNode {
    this.#left -= 1;
    if (hiding.isWhole) return { kind: 'redacted' };
    const kind = kindOf(value);
    const entries = entriesOf(value);
    if (entries === undefined) return this.#leaf(kind, value);
    if (depth === 0) return { kind, size: entries.size };
    const items: StateItem[] = [];
    for (const [key, each] of entries.read(from, n)) {
      if (this.#left <= 0 || this.#lengthLeft <= 0) break;
      if (typeof key === 'string') this.#lengthLeft -= key.length;
      const own = typeof key === 'string' ? hiding.in(key) : hiding.item(key, each, value instanceof Map);
      items.push({ key, node: this.node(each, { hiding: own, from: 0, n: Math.min(n, maxNested), depth: depth - 1 }) });
    }
    return { kind, size: entries.size, from, items };
  }

  #leaf(kind: StateNode['kind'], value: unknown): StateNode {
    const shown = plain(value);
    if (typeof shown !== 'string') return { kind, value: shown };
    this.#lengthLeft -= Math.min(shown.length, maxText);
    if (shown.length <= maxText) return { kind, value: shown };
    return { kind, value: shown.slice(0, maxText), size: shown.length };
  }
}

function kindOf(value: unknown): StateNode['kind'] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'date';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Map) return 'map';
  if (value instanceof Set) return 'set';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint' ? type : 'object';
}

interface Entries {
  readonly size: number;
  read(from: number, n: number): readonly (readonly [string | number, unknown])[];
}

/** The items of a value that has some. A map is a list of pairs, a set a list, as in plain JSON. */
function entriesOf(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return undefined;
  const all = itemsOf(value);
  if (all !== undefined) {
    return {
      size: all.length,
      read: (from, n) => all.slice(from, from + n).map((each, at) => [from + at, each] as const),
    };
  }
  const keys = Object.keys(value);
  return {
    size: keys.length,
    read: (from, n) => keys.slice(from, from + n).map((key) => [key, (value as Record<string, unknown>)[key]] as const),
  };
}

function within(value: unknown, key: string, path: string): unknown {
  const all = itemsOf(value);
  if (all !== undefined) {
    if (/^(?:0|[1-9]\d{0,8})$/u.test(key) && Number(key) < all.length) return all[Number(key)];
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) {
    return (value as Readonly<Record<string, unknown>>)[key];
  }
  throw new ApiError(404, 'HTTP_NOT_FOUND', `The state has nothing at ${path.slice(0, 256)}.`);
}
