import { type Cell, type FoldState, readCell } from '../delta/cell.ts';
import { sameValue } from '../value/equal.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { jsonPointer } from '../value/pointer.ts';

/** One difference between two states; `path` is a JSON pointer that begins with the channel. */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What turns one state into another, channel by channel. What both share by reference costs nothing. */
export function diffStates(before: FoldState, after: FoldState): readonly Change[] {
  const changes: Change[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const from = before.get(name);
    const to = after.get(name);
    if (from !== to) compare([name], valueOf(from), valueOf(to), changes);
  }
  return changes;
}

function valueOf(cell: Cell): unknown {
  return readCell(cell);
}

type Keys = readonly string[];

function compare(keys: Keys, before: unknown, after: unknown, changes: Change[]): void {
  if (Object.is(before, after)) return;
  if (before === undefined) changes.push({ op: 'add', path: jsonPointer(keys), after });
  else if (after === undefined) changes.push({ op: 'remove', path: jsonPointer(keys), before });
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(keys, before, after, changes);
  else if (isPlainObject(before) && isPlainObject(after)) compareObjects(keys, before, after, changes);
  else if (!sameValue(before, after)) changes.push({ op: 'replace', path: jsonPointer(keys), before, after });
}

type Fields = Readonly<Record<string, unknown>>;

function compareObjects(keys: Keys, before: Fields, after: Fields, changes: Change[]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const from = Object.hasOwn(before, key) ? before[key] : undefined;
    const to = Object.hasOwn(after, key) ? after[key] : undefined;
    compare([...keys, key], from, to, changes);
  }
}

/** Place by place. What was appended is added, what was cut off the end is removed from the back, so that it can be applied in order. */
function compareLists(keys: Keys, before: readonly unknown[], after: readonly unknown[], changes: Change[]): void {
  const shared = Math.min(before.length, after.length);
  for (let at = 0; at < shared; at += 1) {
    const from = before[at];
    const to = after[at];
    if (Object.is(from, to)) continue;
    const path = [...keys, String(at)];
    // An undefined item is an item: only the ends of a list come and go.
    if (from === undefined || to === undefined)
      changes.push({ op: 'replace', path: jsonPointer(path), before: from, after: to });
    else compare(path, from, to, changes);
  }
  for (let at = shared; at < after.length; at += 1) {
    changes.push({ op: 'add', path: jsonPointer([...keys, String(at)]), after: after[at] });
  }
  for (let at = before.length - 1; at >= shared; at -= 1) {
    changes.push({ op: 'remove', path: jsonPointer([...keys, String(at)]), before: before[at] });
  }
}
