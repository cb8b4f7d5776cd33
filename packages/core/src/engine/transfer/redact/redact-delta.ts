import { isMap } from 'node:util/types';
import { applyDelta } from '../../../delta/apply-delta.ts';
import { type Cell, cellOf, readCell } from '../../../delta/cell.ts';
import type { Delta, Deltas, MapKey, MapPut, Put, Run } from '../../../delta/delta.ts';
import { Vector } from '../../../delta/vector.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { setOwn } from '../../../value/codec/special.ts';
import { type Keys, mapValue } from './map-value.ts';
import { matches, type Pattern, redacted, replaceMatches } from './patterns.ts';

/**
 * Redacts the change of a channel by pointers. The cost is that of the change, whatever the channel holds. `before` is its
 * value before the change. Undefined: nothing changes that is shown.
 */
export function redactDelta(patterns: readonly Pattern[], name: string, before: Cell, delta: Delta): Delta | undefined {
  return new DeltaRedactor(patterns).change(['state', name], before, delta);
}

class DeltaRedactor {
  readonly #patterns: readonly Pattern[];
  readonly #replace: (keys: Keys, value: unknown) => unknown;

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#replace = replaceMatches(patterns);
  }

  change(place: Keys, before: unknown, delta: Delta): Delta | undefined {
    if (delta[0] === '-') return delta;
    if (this.#patterns.some((pattern) => matches(pattern, place))) {
      return before === undefined ? ['=', redacted] : undefined;
    }
    if (!this.#isInside(place)) return delta;
    switch (delta[0]) {
      case '=':
        return ['=', this.#value(place, delta[1])];
      case '+':
        return typeof delta[1] === 'string' ? delta : ['+', this.#items(place, lengthOf(before), delta[1])];
      case '@':
        return this.#puts(place, before, delta[1], delta[2]);
      case '~':
        return this.#runs(place, before, delta[1]);
      case 'o':
        return this.#fields(place, before, delta[1], delta[2]);
      case 'm':
        return this.#entries(place, before, delta[1], delta[2]);
      case 's':
        // A pointer names an item of a Set by its position, which changes when others are removed.
        return ['=', this.#value(place, readCell(applyDelta(cellOf(before), delta)))];
    }
  }

  /** Whether a pointer leads into what is at this place. */
  #isInside(place: Keys): boolean {
    return this.#patterns.some(
      (pattern) => pattern.length > place.length && matches(pattern.slice(0, place.length), place),
    );
  }

  #value(place: Keys, value: unknown): unknown {
    return mapValue(place, value, this.#replace);
  }

  #items(place: Keys, from: number, items: readonly unknown[]): readonly unknown[] {
    return items.map((item, at) => this.#value([...place, from + at], item));
  }

  #puts(place: Keys, before: unknown, puts: readonly Put[], items: readonly unknown[]): Delta | undefined {
    const shown: Put[] = [];
    for (const [index, delta] of puts) {
      const change = this.change([...place, index], itemOf(before, index), delta);
      if (change !== undefined) shown.push([index, change]);
    }
    if (shown.length === 0 && items.length === 0) return undefined;
    return ['@', shown, this.#items(place, lengthOf(before), items)];
  }

  /** An item that moves may come to a place that a pointer matches, or leave one: then all of them are written again. */
  #runs(place: Keys, before: unknown, runs: readonly Run[]): Delta {
    const isMoved = this.#patterns.some(
      (pattern) =>
        pattern.length > place.length &&
        pattern[place.length] !== '*' &&
        matches(pattern.slice(0, place.length), place),
    );
    if (!isMoved) return ['~', runs.map(([from, count, items]): Run => [from, count, this.#items(place, 0, items)])];
    const after: unknown[] = [];
    for (const [from, count, items] of runs) {
      for (let at = from; at < from + count; at += 1) after.push(itemOf(before, at));
      after.push(...items);
    }
    return ['=', this.#value(place, after)];
  }

  #entries(place: Keys, before: unknown, puts: readonly MapPut[], removed: readonly MapKey[]): Delta | undefined {
    const shown: MapPut[] = [];
    for (const [key, delta] of puts) {
      const change = this.change([...place, key], isMap(before) ? before.get(key) : undefined, delta);
      if (change !== undefined) shown.push([key, change]);
    }
    return shown.length === 0 && removed.length === 0 ? undefined : ['m', shown, removed];
  }

  #fields(place: Keys, before: unknown, changes: Deltas, removed: readonly string[]): Delta | undefined {
    const shown: Record<string, Delta> = {};
    for (const [key, delta] of Object.entries(changes)) {
      const known = isPlainObject(before) && Object.hasOwn(before, key) ? before[key] : undefined;
      const change = this.change([...place, key], known, delta);
      if (change !== undefined) setOwn(shown, key, change);
    }
    return Object.keys(shown).length === 0 && removed.length === 0 ? undefined : ['o', shown, removed];
  }
}

function lengthOf(list: unknown): number {
  return list instanceof Vector || Array.isArray(list) ? list.length : 0;
}

function itemOf(list: unknown, index: number): unknown {
  if (list instanceof Vector) return index < list.length ? list.at(index) : undefined;
  return Array.isArray(list) ? list[index] : undefined;
}
