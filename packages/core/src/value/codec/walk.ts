import { holdfastError } from '../../errors/holdfast-error.ts';
import type { OwnFacts } from '../frozen/own.ts';
import { jsonPointer } from '../pointer.ts';
import { printable } from '../printable.ts';
import { countNodes } from './count-nodes.ts';
import { describeRefused, type Flaw } from './describe-refused.ts';
import { isSpecialNumber, isTooLong, maxDigits, numberText, tagSize } from './special.ts';
import { textSize } from './text-size.ts';

/** The deepest nesting of a user's value. */
const maxNesting = 200;

/** The maximum size of a user's value as JSON, in bytes. */
const maxBytes: number = 16 * 1024 * 1024;

/** The room for what Holdfast puts around a value. A value that was accepted can always be written. */
const ownBytes = 1024 * 1024;

/** The most values inside a value, itself included: an object that is shared counts every time. */
const maxNodes = 1_000_000;

/** Fewer values than this cost little, whatever they are. */
const firstNodes = 10_000;

/** A key or index in a container. In a Map: the index of the entry, then 0 for its key or 1 for its value. */
export type PathKey = string | number;

/** How strict a walk is. */
export interface WalkOptions {
  /** The deepest allowed nesting. */
  readonly limit: number;
  readonly trusting: boolean;
  /** Whether to find the exact size. Otherwise a lower bound is enough, because the text is measured. */
  readonly exact: boolean;
  readonly maxBytes: number;
  readonly maxNodes: number;
}

/** For user values. */
export const strictly: WalkOptions = { limit: maxNesting, trusting: false, exact: true, maxBytes, maxNodes };

/** For objects that Holdfast builds around checked values: a few more levels and bytes, and fewer checks. */
export const trustingly: WalkOptions = {
  limit: maxNesting + 32,
  trusting: true,
  exact: false,
  maxBytes: maxBytes + ownBytes,
  maxNodes: Number.POSITIVE_INFINITY,
};

/** For several checked values that are written together, and count together. */
export const together: WalkOptions = { ...trustingly, exact: true, maxBytes };

/**
 * The position of a walk over a value, and what it has found. Keeps one stack instead of a path: that costs two pushes
 * per container, and it is formatted only for an error. One array for both: a second
 * one costs a small record as much as its text.
 */
export class Walk {
  /** The size in bytes, or a lower bound of it. */
  size = 0;
  /** Whether the JSON needs tags. */
  special = false;
  /** The deepest nesting so far. */
  reach = 0;
  /** Whether Holdfast built the containers that are not frozen copies, so they need no checks. */
  readonly trusting: boolean;
  readonly #limit: number;
  readonly #exact: boolean;
  readonly #maxBytes: number;
  readonly #maxNodes: number;
  #nodes = 1;
  /** How many values are visited before they are all counted. */
  #countAt: number;
  /** Each container, and then its key in the one around it. */
  readonly #way: (object | PathKey)[] = [];

  constructor(options: WalkOptions) {
    this.#limit = options.limit;
    this.trusting = options.trusting;
    this.#exact = options.exact;
    this.#maxBytes = options.maxBytes;
    this.#maxNodes = options.maxNodes;
    this.#countAt = options.maxNodes === Number.POSITIVE_INFINITY ? options.maxNodes : firstNodes;
  }

  get depth(): number {
    return this.#way.length / 2;
  }

  get #containers(): readonly object[] {
    return this.#way.filter((_, at) => at % 2 === 0) as object[];
  }

  get #keys(): readonly PathKey[] {
    return this.#way.filter((_, at) => at % 2 === 1) as PathKey[];
  }

  /** Enters the container at this key of the current one. */
  enter(container: object, key: PathKey): void {
    this.#way.push(container, key);
    const { depth } = this;
    if (depth > this.#limit) throw this.#tooDeep();
    if (depth > this.reach) this.reach = depth;
  }

  leave(): void {
    this.#way.pop();
    this.#way.pop();
    this.size += 1;
    this.checkSize();
  }

  /** Stops a walk that gets too large, before it runs out of memory. */
  checkSize(): void {
    if (this.size > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }

  /** Counts the items of a container, before any of them is visited. */
  count(items: number): void {
    this.#nodes += items;
    // An empty container has no comma to spare.
    if (items === 0) this.size += 1;
    if (this.#nodes > this.#countAt) this.#countAll();
  }

  /** A value that turns out to be large is counted as a whole before more of it is copied: it may be a bomb. */
  #countAll(): void {
    this.#countAt = this.#maxNodes;
    const [root] = this.#containers;
    const isTooMuch = this.#nodes > this.#maxNodes || (root !== undefined && countNodes(root) > this.#maxNodes);
    if (isTooMuch) throw tooManyNodes(this.#maxNodes);
  }

  /** Counts the key of an object, its colon and its comma. */
  key(key: string): void {
    this.size += (this.#exact ? textSize(key) : key.length + 2) + 2;
  }

  /** Skips a part whose facts are known. */
  pass(facts: OwnFacts): void {
    const depth = this.depth + facts.height;
    if (depth > this.#limit) throw this.#tooDeep();
    if (depth > this.reach) this.reach = depth;
    this.size += facts.size;
    if (facts.special) this.special = true;
    this.checkSize();
  }

  /** Visits a leaf at this key of the current container. */
  leaf(value: unknown, key: PathKey): void {
    switch (typeof value) {
      case 'string':
        this.size += this.#exact ? textSize(value) : value.length + 2;
        return;
      case 'number':
        this.#number(value);
        return;
      case 'bigint':
        if (isTooLong(value)) throw tooLong();
        this.tag(tagSize.bigint + (this.#exact ? String(value).length : 1));
        return;
      case 'boolean':
        this.size += value ? 4 : 5;
        return;
      case 'undefined':
        this.tag(tagSize.undefined);
        return;
      case 'function':
      case 'symbol':
        throw this.refuse(value, key);
      default:
        this.size += 4;
    }
  }

  #number(value: number): void {
    if (isSpecialNumber(value)) this.tag(tagSize.number + numberText(value).length);
    else this.size += this.#exact ? digitsOf(value) : 1;
  }

  /** Counts a tag of this size. */
  tag(size: number): void {
    this.special = true;
    this.size += size;
  }

  /** The error for a value that cannot be stored, at this key of the current container. */
  refuse(value: unknown, key: PathKey): Error {
    return this.complain(describeRefused(value), key);
  }

  /** The error for a flaw at this key of the current container, or of the container itself. */
  complain(flaw: Flaw, key?: PathKey): Error {
    return unserializable(key === undefined ? this.#keys : [...this.#keys, key], flaw);
  }

  /** Cycles are detected only here, when the walk is too deep, so that other values pay nothing for it. */
  #tooDeep(): Error {
    const seen = new Map<object, number>();
    for (const [at, container] of this.#containers.entries()) {
      const first = seen.get(container);
      if (first !== undefined) {
        const back = jsonPointer(this.#keys.slice(1, first + 1));
        const what = `refers back to ${back === '' ? 'the whole value' : printable(back)}, which contains it`;
        return unserializable(this.#keys.slice(0, at + 1), { what, instead: 'Store an id instead of the reference' });
      }
      seen.set(container, at);
    }
    const path = jsonPointer(this.#keys.slice(1));
    return holdfastError(
      'HOLDFAST_TOO_DEEP',
      `The value is nested more than ${this.#limit} levels deep at ${printable(path)}. Store a flatter value, such as a list of items with the ids of their parents.`,
      { details: { path, limit: this.#limit } },
    );
  }
}

/** The first key belongs to the root, which has none. */
function unserializable(keys: readonly PathKey[], flaw: Flaw): Error {
  const path = jsonPointer(keys.slice(1));
  const place = path === '' ? 'The value' : `The value at ${printable(path)}`;
  return holdfastError('HOLDFAST_UNSERIALIZABLE', `${place} ${flaw.what} and cannot be stored. ${flaw.instead}.`, {
    details: { path },
  });
}

/** The digits of most numbers are counted without converting them. */
function digitsOf(value: number): number {
  return value >= 0 && value < 10 && value % 1 === 0 ? 1 : String(value).length;
}

/** The error for a text over the limit. */
export function tooLarge(limit: number): Error {
  return holdfastError(
    'HOLDFAST_TOO_LARGE',
    `The value takes more than ${limit} bytes. Store large content elsewhere and keep a reference to it here.`,
    { details: { limit } },
  );
}

function tooManyNodes(limit: number): Error {
  return holdfastError(
    'HOLDFAST_TOO_LARGE',
    `The value has more than ${limit} values inside. An object that is referred to several times is stored as often. Store large content elsewhere and keep a reference to it here.`,
    { details: { limit } },
  );
}

function tooLong(): Error {
  return holdfastError(
    'HOLDFAST_TOO_LARGE',
    `The value has a bigint of more than ${maxDigits} digits. Store it as bytes.`,
    { details: { limit: maxDigits } },
  );
}
