import type { ChangeJson } from '../schema/types.ts';
import type { Json } from './plain.ts';

/** The changes from one JSON value to another, by JSON pointer. Lists are compared item by item. */
export function jsonChanges(before: Json | undefined, after: Json | undefined, path: string): readonly ChangeJson[] {
  if (before === undefined) return after === undefined ? [] : [{ op: 'add', path, after }];
  if (after === undefined) return [{ op: 'remove', path, before }];
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after))
    return Object.is(before, after) ? [] : [{ op: 'replace', path, before, after }];
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = [...new Set([...from.keys(), ...to.keys()])];
  return keys.flatMap((key) => jsonChanges(from.get(key), to.get(key), `${path}/${pointerKey(key)}`));
}

function isTree(value: Json): value is Exclude<Json, null | boolean | number | string> {
  return typeof value === 'object' && value !== null;
}

function pointerKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
