import { ApiError, invalidRequest } from '../api-error.ts';
import type { StateItem, StateNode } from '../schema/types.ts';
import { plain } from './plain.ts';
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
export function sliceOf(state: unknown, { path, from, n, depth }: Slice, redactor: Redactor): StateNode {
  const keys = pointerKeys(path);
  if (keys === undefined) throw invalidRequest('path must be a JSON pointer, such as /messages/0.');
  let value = state;
  for (const [at, key] of keys.entries()) {
    if (redactor.hides(['state', ...keys.slice(0, at + 1)])) return { kind: 'redacted' };
    value = within(value, key, path);
  }
  return new SliceReader(redactor).node(value, { place: ['state', ...keys], from, n, depth });
}

interface Window {
  readonly place: readonly string[];
  readonly from: number;
  readonly n: number;
  readonly depth: number;
}

class SliceReader {
  readonly #redactor: Redactor;
  #left = maxNodes;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  node(value: unknown, window: Window): StateNode {
    this.#left -= 1;
    if (this.#redactor.hides(window.place)) return { kind: 'redacted' };
    const kind = kindOf(value);
    const entries = entriesOf(value);
    if (entries === undefined) return leaf(kind, value);
    const { from, n, depth, place } = window;
    if (depth === 0) return { kind, size: entries.size };
    const items: StateItem[] = [];
    for (const [key, each] of entries.read(from, n)) {
      if (this.#left <= 0) break;
      const inner = { place: [...place, String(key)], from: 0, n: Math.min(n, maxNested), depth: depth - 1 };
      items.push({ key, node: this.node(each, inner) });
    }
    return { kind, size: entries.size, from, items };
  }
}

function leaf(kind: StateNode['kind'], value: unknown): StateNode {
  const shown = plain(value);
  if (typeof shown !== 'string' || shown.length <= maxText) return { kind, value: shown };
  return { kind, value: shown.slice(0, maxText), size: shown.length };
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
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) {
    const all: readonly unknown[] = Array.isArray(value) ? value : [...value];
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
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) {
    const all: readonly unknown[] = Array.isArray(value) ? value : [...value];
    if (/^(?:0|[1-9]\d{0,8})$/u.test(key) && Number(key) < all.length) return all[Number(key)];
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) {
    return (value as Readonly<Record<string, unknown>>)[key];
  }
  throw new ApiError(404, 'HTTP_NOT_FOUND', `The state has nothing at ${path.slice(0, 256)}.`);
}
