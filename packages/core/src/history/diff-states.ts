import { type Cell, type FoldState, readCell } from '../delta/cell.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { sameValue } from '../value/equal.ts';
import { jsonPointer } from '../value/pointer.ts';

/**
 * One difference between two states; `path` is a JSON pointer that begins with the channel.
 *
 * @example
 * ```ts
 * const describe = ({ op, path }: Change): string => `${op} ${path}`;
 * console.log((await engine.diff('ord-81', 'what-if')).map(describe));
 * ```
 */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * The changes from one state to another, channel by channel, in an order in which they can be applied. Values shared by
 * reference cost nothing, and changes are computed only as they are read.
 */
export function* changesBetween(before: FoldState, after: FoldState): Generator<Change, void, void> {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const from = before.get(name);
    const to = after.get(name);
    if (from !== to) yield* compare([name], valueOf(from), valueOf(to));
  }
}

function valueOf(cell: Cell): unknown {
  return readCell(cell);
}

type Keys = readonly string[];
type Changes = Generator<Change, void, void>;

function* compare(keys: Keys, before: unknown, after: unknown): Changes {
  if (Object.is(before, after)) return;
  if (before === undefined) yield { op: 'add', path: jsonPointer(keys), after };
  else if (after === undefined) yield { op: 'remove', path: jsonPointer(keys), before };
  else if (Array.isArray(before) && Array.isArray(after)) yield* compareLists(keys, before, after);
  else if (isPlainObject(before) && isPlainObject(after)) yield* compareObjects(keys, before, after);
  else if (!sameValue(before, after)) yield { op: 'replace', path: jsonPointer(keys), before, after };
}

type Fields = Readonly<Record<string, unknown>>;

function* compareObjects(keys: Keys, before: Fields, after: Fields): Changes {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const from = Object.hasOwn(before, key) ? before[key] : undefined;
    const to = Object.hasOwn(after, key) ? after[key] : undefined;
    if (!Object.is(from, to)) yield* compare([...keys, key], from, to);
  }
}

/** Index by index. Items are added at the end and removed from the end, so that the changes can be applied in order. */
function* compareLists(keys: Keys, before: readonly unknown[], after: readonly unknown[]): Changes {
  const shared = Math.min(before.length, after.length);
  for (let at = 0; at < shared; at += 1) {
    const from = before[at];
    const to = after[at];
    if (Object.is(from, to)) continue;
    const path = [...keys, String(at)];
    // An undefined item is still an item: only the end of a list grows or shrinks.
    if (from === undefined || to === undefined)
      yield { op: 'replace', path: jsonPointer(path), before: from, after: to };
    else yield* compare(path, from, to);
  }
  for (let at = shared; at < after.length; at += 1) {
    yield { op: 'add', path: jsonPointer([...keys, String(at)]), after: after[at] };
  }
  for (let at = before.length - 1; at >= shared; at -= 1) {
    yield { op: 'remove', path: jsonPointer([...keys, String(at)]), before: before[at] };
  }
}
