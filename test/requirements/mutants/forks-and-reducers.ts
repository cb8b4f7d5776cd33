import type { Channel } from 'holdfast';
import { change, type Mutant, mutant } from '../mutant.ts';
import { channel, defineStore, openDriver, seams } from '../seams.ts';
import { brokenCheckpoints, brokenDriver, orElse } from './wrap.ts';

export const fork = [
  brokenCheckpoints('a fork is labelled with its own name', (checkpoints) => ({
    fork: (from, options) => checkpoints.fork(from, { label: `fork-of:${options?.id ?? 'itself'}`, ...options }),
  })),
  brokenCheckpoints('a fork is a copy', (checkpoints) => ({
    fork: async (from, options) =>
      checkpoints.fork(from, { ...options, set: { ...(await checkpoints.load(from))?.state, ...options?.set } }),
  })),
  brokenCheckpoints('the edits are lost', (checkpoints) => ({
    fork: (from, options) => checkpoints.fork(from, { ...options, set: undefined }),
  })),
  mutant(
    'a fork forgets its lineage',
    change(seams.segmentsOf, (segmentsOf) => (lineage) => segmentsOf(lineage).slice(0, 1)),
  ),
  mutant(
    'a fork sees what its base did later',
    change(
      seams.segmentsOf,
      (segmentsOf) => (lineage) =>
        segmentsOf(lineage).map((segment) => ({ ...segment, upTo: Number.MAX_SAFE_INTEGER })),
    ),
  ),
  brokenCheckpoints('an edit of an unknown channel is taken', (checkpoints) => ({
    fork: (from, options) =>
      orElse(
        () => checkpoints.fork(from, options),
        'HOLDFAST_UNKNOWN_CHANNEL',
        () => checkpoints.fork(from, { ...options, set: {} }),
      ),
  })),
  brokenCheckpoints('a missing source makes an empty fork', (checkpoints) => ({
    fork: (from, options) =>
      orElse(
        () => checkpoints.fork(from, options),
        'HOLDFAST_NOT_FOUND',
        () => options?.id ?? 'empty',
      ),
  })),
  brokenCheckpoints('a deleted run takes its forks with it', (checkpoints, { store }) => ({
    delete: async (run) => {
      const forks = await store.runs({ baseRun: run, order: 'oldest', limit: 100 });
      for (const each of forks) await checkpoints.delete(each.run);
      return checkpoints.delete(run);
    },
  })),
];

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

export const everyStore = [
  brokenDriver('sqlite', 'SQLite gives snapshots by their place alone', (driver) => ({
    snapshots: async (query) => (await driver.snapshots(query)).toSorted((a, b) => b.seq - a.seq),
  })),
  brokenDriver('sqlite', 'SQLite lists the oldest first', (driver) => ({
    snapshots: async (query) => (await driver.snapshots(query)).toReversed(),
  })),
  brokenDriver('file', 'the file store gives the oldest snapshots', (driver) => ({
    snapshots: async (query) => (await driver.snapshots({ ...query, limit: 100 })).slice(-query.limit),
  })),
  brokenDriver('file', 'the file store gives the newest records in the wrong order', (driver) => ({
    records: async (query) => {
      const found = await driver.records(query);
      return query.order === 'newest' ? found.toReversed() : found;
    },
  })),
  mutant(
    'memory is forgotten when it is closed',
    change(seams.memoryStore, (make) => () => defineStore((env) => openDriver(make(), env))),
  ),
];
