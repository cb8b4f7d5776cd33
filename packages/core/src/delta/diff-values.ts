import { objectKind } from '../value/codec/object-kind.ts';
import { setOwn } from '../value/codec/special.ts';
import { sameValue } from '../value/equal.ts';
import type { Delta, Put } from './delta.ts';
import { type Change, diffMaps, diffSets, overhead, type Told } from './diff-collections.ts';
import { type ListPair, matchItems } from './match-items.ts';
import { weigh } from './weigh.ts';

/** Each level of a change may nest its delta two levels deeper than the value, and the codec allows only a few extra levels. */
const deepest = 10;

/**
 * The delta from one frozen value to another; undefined if they are equal. An undefined value means no value.
 *
 * Parts that are the same by reference are skipped, so the cost depends on the change. The delta is at most a few bytes
 * larger than the whole value.
 */
export function diffValues(before: unknown, after: unknown): Delta | undefined {
  if (after === undefined) return before === undefined ? undefined : ['-'];
  return before === undefined ? ['=', after] : diff(before, after, 0)?.delta;
}

function diff(before: unknown, after: unknown, depth: number): Change | undefined {
  if (Object.is(before, after)) return undefined;
  if (typeof before === 'string' && typeof after === 'string') return diffTexts(before, after);
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return whole(after);
  const kind = objectKind(after);
  const parts = kind === objectKind(before) && depth < deepest ? diffParts(before, after, depth) : null;
  if (parts === null) return sameValue(before, after) ? undefined : whole(after);
  return parts === undefined || parts.weight < weigh(after) + overhead ? parts : whole(after);
}

/** What changed inside of two values of the same kind. Null if that cannot be told. */
function diffParts(before: object, after: object, depth: number): Told {
  switch (objectKind(after)) {
    case 'array':
      return diffLists(before as readonly unknown[], after as readonly unknown[], depth);
    case 'object':
      return diffKeys(before as Fields, after as Fields, depth);
    case 'map':
      return diffMaps(before as Entries, after as Entries, (old, item) => diff(old, item, depth + 1));
    case 'set':
      return diffSets(before as ReadonlySet<unknown>, after as ReadonlySet<unknown>);
    default:
      return null;
  }
}

function whole(value: unknown): Change {
  return { delta: ['=', value], weight: weigh(value) + overhead };
}

/** Texts usually grow at the end: a draft, a log, a streamed answer. */
function diffTexts(before: string, after: string): Change {
  if (before.length <= overhead || !after.startsWith(before)) return whole(after);
  const rest = after.slice(before.length);
  return { delta: ['+', rest], weight: weigh(rest) + overhead };
}

type Fields = Readonly<Record<string, unknown>>;
type Entries = ReadonlyMap<unknown, unknown>;

function diffKeys(before: Fields, after: Fields, depth: number): Change | undefined {
  const changes: Record<string, Delta> = {};
  const removed: string[] = [];
  let weight = 0;
  for (const key of Object.keys(after)) {
    const change = Object.hasOwn(before, key) ? diff(before[key], after[key], depth + 1) : whole(after[key]);
    if (change === undefined) continue;
    setOwn(changes, key, change.delta);
    weight += key.length + change.weight;
  }
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) continue;
    removed.push(key);
    weight += key.length + overhead;
  }
  return weight === 0 ? undefined : { delta: ['o', changes, removed], weight: weight + overhead };
}

function diffLists(before: readonly unknown[], after: readonly unknown[], depth: number): Change | undefined {
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && same(before[prefix], after[prefix])) prefix += 1;
  if (prefix === before.length) return prefix === after.length ? undefined : appended(after.slice(prefix));
  let suffix = 0;
  while (suffix < shorter - prefix && same(before.at(-1 - suffix), after.at(-1 - suffix))) suffix += 1;
  const pair = { before, after, prefix, suffix };
  const { runs, copied } = matchItems(pair);
  if (after.length >= before.length && inPlace(pair) >= copied) return diffItems(pair, depth);
  let weight = overhead;
  for (const run of runs) weight += overhead + weighItems(run[2]);
  return { delta: ['~', runs], weight };
}

function same(before: unknown, after: unknown): boolean {
  return Object.is(before, after) || (typeof before === 'object' && sameValue(before, after));
}

function appended(items: readonly unknown[]): Change {
  return { delta: ['+', items], weight: weighItems(items) + overhead };
}

/** How many items kept their position. */
function inPlace({ before, after, prefix, suffix }: ListPair): number {
  let count = prefix;
  for (let index = prefix; index < before.length; index += 1) {
    if (Object.is(before[index], after[index])) count += 1;
  }
  // Items at the end may be equal only by structure; they kept their position if nothing was inserted before them.
  return before.length === after.length ? Math.max(count, prefix + suffix) : count;
}

function diffItems({ before, after, prefix }: ListPair, depth: number): Change {
  const puts: Put[] = [];
  const items = after.slice(before.length);
  let weight = weighItems(items) + overhead;
  for (let index = prefix; index < before.length; index += 1) {
    const change = diff(before[index], after[index], depth + 1);
    if (change === undefined) continue;
    puts.push([index, change.delta]);
    weight += change.weight + overhead;
  }
  return { delta: ['@', puts, items], weight };
}

function weighItems(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => sum + weigh(item) + 1, 0);
}
