import { ownFacts } from '../frozen/own.ts';
import { objectKind } from './object-kind.ts';
import { mapEntries, setItems } from './special.ts';

const { getOwnPropertyDescriptor, keys } = Object;

/** Deeper than any value that is accepted. */
const deepest = 256;

/**
 * How many values a value has inside, itself included, without copying any. Each object is looked at once, however often it
 * is referred to, so a few objects that stand for billions are counted at once. Runs no user code.
 */
export function countNodes(root: object): number {
  const counted = new Map<object, number>();
  const count = (value: unknown, depth: number): number => {
    if (typeof value !== 'object' || value === null || ownFacts(value) !== undefined || depth > deepest) return 1;
    const known = counted.get(value);
    if (known !== undefined) return known;
    // A circle ends here; the walk reports it.
    counted.set(value, 1);
    let sum = 1;
    for (const inner of insideOf(value)) sum += count(inner, depth + 1);
    counted.set(value, sum);
    return sum;
  };
  return count(root, 0);
}

function* insideOf(value: object): Generator {
  switch (objectKind(value)) {
    case 'object':
    case 'array':
      for (const key of keys(value)) yield getOwnPropertyDescriptor(value, key)?.value;
      return;
    case 'map':
      for (const entry of mapEntries(value as ReadonlyMap<unknown, unknown>)) yield* entry;
      return;
    case 'set':
      yield* setItems(value as ReadonlySet<unknown>);
      return;
    default:
  }
}
