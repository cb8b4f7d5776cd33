import { holdfastError } from '../../errors/holdfast-error.ts';
import type { OwnFacts } from '../frozen/own.ts';
import { jsonPointer } from '../pointer.ts';
import { printable } from '../printable.ts';
import { describeRefused, type Flaw } from './describe-refused.ts';
import { bigintSize, isSpecialNumber, tagSize } from './special.ts';

/** The deepest nesting of a value that a user may store. */
const maxNesting = 200;

/** The greatest size of a stored text, in bytes. */
export const maxBytes: number = 16 * 1024 * 1024;

/** A step from a container to what is in it: a key, or an index (of a Map: of the entry, then 0 for its key, 1 for its value). */
export type PathKey = string | number;

/** How strict a walk is. */
export interface WalkOptions {
  /** The deepest nesting that is allowed. */
  readonly limit: number;
  readonly trusting: boolean;
}

/** For what a user gives. */
export const strictly: WalkOptions = { limit: maxNesting, trusting: false };

/** For what Holdfast builds around values that were checked: a few levels more, and no search for what it never does. */
export const trustingly: WalkOptions = { limit: maxNesting + 32, trusting: true };

/**
 * Where a walk over a value is, and what it has found. One stack is kept instead of a path: it costs two pushes a
 * container, and a text is made of it only when there is something to complain about.
 */
export class Walk {
  /** A lower bound of the bytes of the text. */
  size = 0;
  /** Whether the JSON needs tags. */
  special = false;
  /** The deepest nesting so far. */
  reach = 0;
  /** Whether containers that are not ours were made by Holdfast, as plain as can be. */
  readonly trusting: boolean;
  readonly #limit: number;
  readonly #containers: object[] = [];
  readonly #keys: PathKey[] = [];

  constructor(options: WalkOptions) {
    this.#limit = options.limit;
    this.trusting = options.trusting;
  }

  get depth(): number {
    return this.#containers.length;
  }

  /** Goes into a container that is at this key of the one before. */
  enter(container: object, key: PathKey): void {
    this.#containers.push(container);
    this.#keys.push(key);
    const depth = this.#containers.length;
    if (depth > this.#limit) throw this.#tooDeep();
    if (depth > this.reach) this.reach = depth;
  }

  leave(): void {
    this.#containers.pop();
    this.#keys.pop();
    this.size += 1;
    this.checkSize();
  }

  /** Ends a walk that grows too large, before the memory does. */
  checkSize(): void {
    if (this.size > maxBytes) throw tooLarge();
  }

  /** Goes past something of which all is known. */
  pass(facts: OwnFacts): void {
    const depth = this.#containers.length + facts.height;
    if (depth > this.#limit) throw this.#tooDeep();
    if (depth > this.reach) this.reach = depth;
    this.size += facts.size;
    if (facts.special) this.special = true;
    this.checkSize();
  }

  /** Takes in a value that contains no other, at this key of the container the walk is in. */
  leaf(value: unknown, key: PathKey): void {
    switch (typeof value) {
      case 'string':
        this.size += value.length + 2;
        return;
      case 'number':
        this.size += 1;
        if (isSpecialNumber(value)) this.special = true;
        return;
      case 'bigint':
        this.tag(tagSize.bigint + bigintSize(value));
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

  /** Takes in a tag of at least this size. */
  tag(size: number): void {
    this.special = true;
    this.size += size;
  }

  /** The error for a value that cannot be stored, at this key of the container the walk is in. */
  refuse(value: unknown, key: PathKey): Error {
    return this.complain(describeRefused(value), key);
  }

  /** The error that says what is wrong and what to do, about this key of the container the walk is in, or about itself. */
  complain(flaw: Flaw, key?: PathKey): Error {
    return unserializable(key === undefined ? this.#keys : [...this.#keys, key], flaw);
  }

  /** A cycle is found here and not earlier, so that a value without one pays nothing for the search. */
  #tooDeep(): Error {
    const seen = new Map<object, number>();
    for (const [at, container] of this.#containers.entries()) {
      const first = seen.get(container);
      if (first !== undefined) {
        const back = jsonPointer(this.#keys.slice(1, first + 1));
        const what = `refers back to ${back === '' ? 'the whole value' : printable(back)}, which contains it`;
        return unserializable(this.#keys.slice(0, at + 1), { what, instead: 'Store an id in place of the reference' });
      }
      seen.set(container, at);
    }
    const path = jsonPointer(this.#keys.slice(1));
    return holdfastError(
      'HOLDFAST_TOO_DEEP',
      `The value is nested more than ${this.#limit} levels deep at ${printable(path)}. Store a flatter value, such as a list of items that name their parents.`,
      { details: { path, limit: this.#limit } },
    );
  }
}

/** The first key is that of the root, which has none. */
function unserializable(keys: readonly PathKey[], flaw: Flaw): Error {
  const path = jsonPointer(keys.slice(1));
  const place = path === '' ? 'The value' : `The value at ${printable(path)}`;
  return holdfastError('HOLDFAST_UNSERIALIZABLE', `${place} ${flaw.what} and cannot be stored. ${flaw.instead}.`, {
    details: { path },
  });
}

/** The error for a text over the limit; nothing of it was written. */
export function tooLarge(): Error {
  return holdfastError(
    'HOLDFAST_TOO_LARGE',
    `The value takes more than ${maxBytes} bytes. Store large content elsewhere and its name or address here.`,
    { details: { limit: maxBytes } },
  );
}
