import type { Channel } from 'holdfast';
import { change, type Mutant, mutant } from '../mutant.ts';
import { channel, seams } from '../seams.ts';

/** A channel of this reducer. */
function reduced<T, U>(initial: T, reduce: (previous: T, next: U) => T): Channel<T, U> {
  return channel<T, U>({ default: () => initial, reduce });
}

type Fields = Readonly<Record<string, unknown>>;

/** `to` with what is in `from`, also in the objects inside. */
function mergedDeeply(to: Fields, from: Fields): Fields {
  const merged = Object.entries(from).map(([key, value]): [string, unknown] => {
    const before = to[key];
    return [key, isFields(before) && isFields(value) ? mergedDeeply(before, value) : value];
  });
  return { ...to, ...Object.fromEntries(merged) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** A `newest` that keeps the earlier of two values when `staysOn` says so. */
function brokenNewest(breaks: string, stays: (previous: number, next: number) => boolean): Mutant {
  const broken = change(
    seams.newest,
    () =>
      <T extends { readonly at: number }>() =>
        reduced<T | undefined, T>(undefined, (previous, next) =>
          previous !== undefined && stays(previous.at, next.at) ? previous : next,
        ),
  );
  return mutant(breaks, broken);
}

export const reducers = [
  mutant(
    'the first write wins',
    change(
      seams.channel,
      (make) => (options?: Parameters<typeof make>[0]) =>
        options === undefined ? make({ default: () => undefined, reduce: first }) : make(options),
    ),
  ),
  mutant(
    'null is an item of a list',
    change(seams.copyItems, (copy) => (place, value) => copy(place, value === null ? [null] : value)),
  ),
  mutant(
    'an array is one item of a list',
    change(seams.copyItems, (copy) => (place, value) => copy(place, Array.isArray(value) ? [value] : value)),
  ),
  mutant(
    'a message of the same id is appended',
    change(
      seams.messages,
      () =>
        <T extends { readonly id?: string | undefined }>() =>
          reduced<readonly T[], T | readonly T[] | null>([], (previous, next) => [...previous, ...itemsOf<T>(next)]),
    ),
  ),
  mutant(
    'maps are merged deeply',
    change(
      seams.map,
      () =>
        <T>() =>
          reduced<Readonly<Record<string, T>>, Readonly<Record<string, T | undefined>>>(
            {},
            (previous, next) => mergedDeeply(previous, next) as Readonly<Record<string, T>>,
          ),
    ),
  ),
  brokenNewest('an older value replaces a newer one', (previous, next) => previous < next),
  brokenNewest('of two at once the first stays', (previous, next) => previous >= next),
  mutant(
    'an own reducer is not asked',
    change(
      seams.channel,
      (make) => (options?: Parameters<typeof make>[0]) =>
        options === undefined ? make() : make({ default: options.default }),
    ),
  ),
  mutant(
    'a counter does not count',
    change(
      seams.counter,
      () =>
        (start = 0) =>
          reduced<number, number>(start, (_previous, next) => next),
    ),
  ),
];

function first(previous: unknown, next: unknown): unknown {
  return previous ?? next;
}

function itemsOf<T>(next: T | readonly T[] | null): readonly T[] {
  if (next === null) return [];
  return Array.isArray(next) ? (next as readonly T[]) : [next as T];
}
