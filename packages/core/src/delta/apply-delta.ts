import { holdfastError } from '../errors/holdfast-error.ts';
import { objectKind } from '../value/codec/object-kind.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { mapEntries, setItems, setOwn } from '../value/codec/special.ts';
import { frozenCopy, isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { type Cell, cellOf, readCell, vectorOf } from './cell.ts';
import type { Delta, Deltas, MapKey, MapPut, Put, Run } from './delta.ts';
import { Vector } from './vector.ts';

/**
 * Applies a delta to a cell and returns the new cell. The old cell is not changed.
 *
 * @throws HOLDFAST_CORRUPT if the delta does not fit the value.
 */
export function applyDelta(cell: Cell, delta: Delta): Cell {
  return delta[0] === '=' ? cellOf(delta[1]) : new CellDraft(cell).apply(delta).finish();
}

/**
 * A cell while deltas are applied to it.
 *
 * An object or inner list is copied on its first change and then changed in place, so folding many small deltas into a
 * large value copies the value once, not once per delta.
 */
export class CellDraft {
  #cell: Cell;
  /** The copies that only this draft refers to. */
  #own: Set<object> | undefined;

  constructor(cell: Cell) {
    this.#cell = cell;
  }

  /** @throws HOLDFAST_CORRUPT if the delta does not fit the value. */
  apply(delta: Delta): this {
    this.#cell = this.#change(delta);
    return this;
  }

  /** The frozen cell. */
  finish(): Cell {
    return this.#cell instanceof Vector ? this.#cell : cellOf(this.#cell);
  }

  #change(delta: Delta): Cell {
    switch (delta[0]) {
      case '-':
        return undefined;
      case '=':
        return cellOf(delta[1]);
      case '+':
        return typeof delta[1] === 'string' ? this.#value(delta) : this.#list().append(frozenItems(delta[1]));
      case '@':
        return this.#puts(this.#list(), delta[1]).append(frozenItems(delta[2]));
      case '~':
        return keepsBeginning(delta[1]) ? this.#keep(this.#list(), delta[1][0]) : this.#value(delta);
      case 'o':
      case 'm':
      case 's':
        return this.#value(delta);
    }
  }

  #list(): Vector {
    return vectorOf(this.finish()) ?? unfit('a list');
  }

  #value(delta: Delta): Cell {
    return this.#inner(readCell(this.#cell), delta) as Cell;
  }

  #puts(list: Vector, puts: readonly Put[]): Vector {
    const items = new Map<number, unknown>();
    for (const [index, delta] of puts) {
      if (index >= list.length) unfit('a list of that length');
      items.set(index, frozenCopy(this.#inner(list.at(index), delta)));
    }
    return list.put(items);
  }

  #keep(list: Vector, [, count, items]: Run): Vector {
    if (count > list.length) unfit('a list of that length');
    return list.keep(count).append(frozenItems(items));
  }

  /** Changes a value inside the cell, or a cell that is not a list. */
  #inner(value: unknown, delta: Delta): unknown {
    switch (delta[0]) {
      case '-':
        return unfit('a channel');
      case '=':
        return delta[1];
      case '+':
        return typeof delta[1] === 'string' ? appendText(value, delta[1]) : this.#append(value, delta[1]);
      case '@':
        return this.#append(this.#putAll(value, delta[1]), delta[2]);
      case '~':
        return this.#splice(value, delta[1]);
      case 'o':
        return this.#keys(value, delta[1], delta[2]);
      case 'm':
        return this.#entries(value, delta[1], delta[2]);
      case 's':
        return this.#items(value, delta[1], delta[2]);
    }
  }

  #append(value: unknown, items: readonly unknown[]): unknown {
    const list = this.#ownList(value);
    for (const item of items) list.push(item);
    return list;
  }

  #putAll(value: unknown, puts: readonly Put[]): unknown {
    const list = this.#ownList(value);
    for (const [index, delta] of puts) {
      if (index >= list.length) unfit('a list of that length');
      list[index] = this.#inner(list[index], delta);
    }
    return list;
  }

  #splice(value: unknown, runs: readonly Run[]): unknown {
    if (!Array.isArray(value)) return unfit('a list');
    // Two runs may contain the same item, and the draft's own copies must not be in two places.
    const old: readonly unknown[] = this.#own?.has(value) ? frozenCopy(value) : value;
    const list: unknown[] = [];
    for (const [from, count, items] of runs) {
      if (from + count > old.length) unfit('a list of that length');
      for (let index = from; index < from + count; index += 1) list.push(old[index]);
      for (const item of items) list.push(item);
    }
    return this.#keepCopy(list);
  }

  #keys(value: unknown, changes: Deltas, removed: readonly string[]): unknown {
    const record = this.#ownRecord(value);
    for (const key of removed) delete record[key];
    for (const key of Object.keys(changes)) {
      const old = Object.hasOwn(record, key) ? record[key] : undefined;
      setOwn(record, key, this.#inner(old, changes[key] as Delta));
    }
    return record;
  }

  #entries(value: unknown, puts: readonly MapPut[], removed: readonly MapKey[]): unknown {
    if (!isMap(value)) return unfit('a Map');
    const map = this.#own?.has(value) ? value : this.#keepCopy(new Map(mapEntries(value)));
    for (const key of removed) map.delete(key);
    for (const [key, delta] of puts) map.set(key, this.#inner(map.get(key), delta));
    return map;
  }

  #items(value: unknown, added: readonly MapKey[], removed: readonly MapKey[]): unknown {
    if (!isSet(value)) return unfit('a Set');
    const set = this.#own?.has(value) ? value : this.#keepCopy(new Set(setItems(value)));
    for (const item of removed) set.delete(item);
    for (const item of added) set.add(item);
    return set;
  }

  #keepCopy<T extends object>(copy: T): T {
    this.#own ??= new Set();
    this.#own.add(copy);
    return copy;
  }

  #ownList(value: unknown): unknown[] {
    if (!Array.isArray(value)) return unfit('a list');
    if (this.#own?.has(value)) return value as unknown[];
    const copy: unknown[] = [...(value as readonly unknown[])];
    return this.#keepCopy(copy);
  }

  #ownRecord(value: unknown): Record<string, unknown> {
    if (!isPlainObject(value)) return unfit('an object');
    if (this.#own?.has(value)) return value;
    const copy: Record<string, unknown> = { ...value };
    return this.#keepCopy(copy);
  }
}

function keepsBeginning(runs: readonly Run[]): runs is readonly [Run] {
  return runs.length === 1 && runs[0]?.[0] === 0;
}

/** Values from a reducer are already frozen; values from a journal are not. */
function frozenItems(items: readonly unknown[]): readonly unknown[] {
  return isFrozenCopy(items) ? items : items.map((item) => frozenCopy(item));
}

function isMap(value: unknown): value is Map<unknown, unknown> {
  return typeof value === 'object' && value !== null && objectKind(value) === 'map';
}

function isSet(value: unknown): value is Set<unknown> {
  return typeof value === 'object' && value !== null && objectKind(value) === 'set';
}

function appendText(value: unknown, text: string): string {
  return typeof value === 'string' ? value + text : unfit('a text');
}

function unfit(what: string): never {
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The journal is corrupt: a change does not fit the value before it, which is not ${what}. Restore it from a backup.`,
  );
}
