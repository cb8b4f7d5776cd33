import { objectKind } from '../value/codec/object-kind.ts';
import { setOwn } from '../value/codec/special.ts';
import { sameValue } from '../value/equal.ts';
import type { Delta, Put } from './delta.ts';
import { type ListPair, listRuns } from './list-runs.ts';
import { weigh } from './weigh.ts';

/** A delta and about how many bytes it takes. */
interface Change {
  readonly delta: Delta;
  readonly weight: number;
}

/** Each level of a change may nest its delta two levels deeper than the value; the codec leaves room for a few. */
const deepest = 10;
/** What the brackets, the tag and the place of one more delta take. */
const overhead = 8;

/**
 * The delta that turns one frozen value into another; undefined when they are equal. Undefined is no value.
 *
 * What is the same by reference is not looked into, so that the cost follows the change. The delta is never larger than
 * the whole value by more than a few bytes.
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
  if (kind !== objectKind(before) || (kind !== 'array' && kind !== 'object') || depth >= deepest) {
    return sameValue(before, after) ? undefined : whole(after);
  }
  const parts =
    kind === 'array'
      ? diffLists(before as readonly unknown[], after as readonly unknown[], depth)
      : diffKeys(before as Fields, after as Fields, depth);
  return parts === undefined || parts.weight < weigh(after) + overhead ? parts : whole(after);
}

function whole(value: unknown): Change {
  return { delta: ['=', value], weight: weigh(value) + overhead };
}

/** A draft, a log, an answer that streams in: texts grow at their end. */
function diffTexts(before: string, after: string): Change {
  if (before.length <= overhead || !after.startsWith(before)) return whole(after);
  const rest = after.slice(before.length);
  return { delta: ['+', rest], weight: weigh(rest) + overhead };
}

type Fields = Readonly<Record<string, unknown>>;

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
  const { runs, copied } = listRuns(pair);
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

/** How many items are where they were. */
function inPlace({ before, after, prefix, suffix }: ListPair): number {
  let count = prefix;
  for (let index = prefix; index < before.length; index += 1) {
    if (Object.is(before[index], after[index])) count += 1;
  }
  // Items at the end may be the same by structure alone; they are where they were if nothing was put before them.
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
