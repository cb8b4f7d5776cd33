/** Numbers of at least 0 and below 1. */
export type Random = () => number;

/** One of several. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Texts that break what takes texts for granted: terminals, paths, file formats, prototypes, and other programs. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  '\u202eevil\u2066',
  '\u200e\u200f\u061c',
  '\u2028\u2029\u0085',
  '\ufeff\ufffe',
  '\r\nX: y',
  '../../etc/passwd',
  '$(touch owned)',
  '`id`',
  "'; DROP TABLE runs; --",
  '__proto__',
  'constructor',
  'toString',
  'start',
  'end',
  'count',
  'run',
  'NaN',
  '-1',
  '9007199254740993',
  'run@1',
  '@',
  '%s%n',
  'é'.repeat(300),
  'x'.repeat(5_000),
];

/** Stands for a value that is too deep for `JSON.stringify`. */
const deepMark = 'as deep as no program writes it';
const deepText = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

/** The JSON of a value that was mutated. */
export function hostileText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(JSON.stringify(deepMark), deepText);
}

const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  2,
  3,
  2 ** 31,
  2 ** 32,
  2 ** 52,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  8.64e15,
  8.64e15 + 1,
  9e15,
  1e300,
  -1e300,
  5e-324,
];

/** Tags of the codec with content that does not belong there. */
const hostileTags: readonly unknown[] = [
  { $date: 'never' },
  { $date: 1e300 },
  { $date: 1 },
  { $bigint: '1'.repeat(2_000) },
  { $bigint: 'x' },
  { $number: 'NaN' },
  { $number: 'Infinity' },
  { $number: '-Infinity' },
  { $undefined: true },
  { $undefined: 1 },
  { $bytes: 'AAEC' },
  { $bytes: '!!' },
  { $set: [1, 1] },
  { $set: 1 },
  { $map: [['a', 1]] },
  { $map: [[{ $map: [] }, 1]] },
  { $map: [['a']] },
  { $unknown: 1 },
  { $$date: 1 },
];

/** Objects whose keys mean something to JavaScript. */
const hostileObjects: readonly string[] = [
  '{}',
  '[]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1}',
  '{"then":1}',
  '{"length":1e9}',
  '{"toJSON":1}',
  '{"error":{"name":"E","message":"m"}}',
  '{"name":"E","message":"m","cause":{"name":"E","message":"m"}}',
];

/** A value that is JSON, and nothing that a reader would expect. */
function hostileJson(random: Random): unknown {
  const kind = random();
  if (kind < 0.25) return pick(random, hostileTexts);
  if (kind < 0.5) return pick(random, hostileNumbers);
  if (kind < 0.6) return pick(random, [null, true, false]);
  if (kind < 0.75) return pick(random, hostileTags);
  if (kind < 0.9) return JSON.parse(pick(random, hostileObjects)) as unknown;
  if (kind < 0.91) return deepMark;
  if (kind < 0.93) return nested(Math.floor(random() * 2_000));
  return Array.from({ length: Math.floor(random() * 20) }, () => pick(random, [...hostileTexts, ...hostileNumbers]));
}

/** What a column of a database, or a part of a line, can be: JSON of another shape or none at all, texts and numbers. */
export function hostileCell(random: Random): string | number {
  const kind = random();
  if (kind < 0.3) return pick(random, hostileNumbers);
  if (kind < 0.5) return pick(random, hostileTexts);
  if (kind < 0.6) return pick(random, ['{', '[', '[[', '"', 'nul', '{"a":', ']']);
  return hostileText(hostileJson(random));
}

/** A value of the same type, which a check of types alone lets pass. */
function hostileOfType(value: unknown, random: Random): unknown {
  if (typeof value === 'string') return pick(random, hostileTexts);
  if (typeof value === 'number') return pick(random, hostileNumbers);
  if (Array.isArray(value)) return hostileList(value as readonly unknown[], random);
  return hostileJson(random);
}

function hostileList(items: readonly unknown[], random: Random): readonly unknown[] {
  return pick(random, [[], [...items, ...items], items.toReversed()]);
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Where in a value something can be changed: its holder and the key. */
interface Spot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** Deeper values are changed as a whole. */
const deepest = 12;

function spotsOf(value: unknown, found: Spot[] = [], depth = 0): Spot[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    spotsOf(holder[key], found, depth + 1);
  }
  return found;
}

/** The same value with one thing in it changed: a member replaced, removed, renamed, added, copied or exchanged. */
export function mutateJson<T>(value: T, random: Random): T {
  const copy = structuredClone(value);
  const spots = spotsOf(copy);
  if (spots.length === 0) return hostileJson(random) as T;
  const { holder, key } = pick(random, spots);
  const change = random();
  if (change < 0.3) put(holder, key, hostileOfType(holder[key], random));
  else if (change < 0.5) put(holder, key, hostileJson(random));
  else if (change < 0.65) drop(holder, key);
  else if (change < 0.75) rename(holder, key, pick(random, hostileTexts));
  else if (change < 0.85)
    put(holder, pick(random, [...hostileTexts, 'error', 'next', 'of', 'again']), hostileJson(random));
  else exchange(holder, key, pick(random, spots));
  return copy;
}

/** Own, whatever its name is. */
function put(holder: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[Number.isInteger(Number(key)) ? Number(key) % 1_000 : 0] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function drop(holder: Record<string, unknown>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function rename(holder: Record<string, unknown>, from: string, to: string): void {
  const value = holder[from];
  drop(holder, from);
  put(holder, to, value);
}

/** Copies, so that nothing becomes part of itself. What is nested too deep to be copied stays where it is. */
function exchange(holder: Record<string, unknown>, key: string, other: Spot): void {
  let copies: readonly [mine: unknown, theirs: unknown];
  try {
    copies = [structuredClone(holder[key]), structuredClone(other.holder[other.key])];
  } catch (error) {
    if (error instanceof RangeError) return;
    throw error;
  }
  put(holder, key, copies[1]);
  put(other.holder, other.key, copies[0]);
}
