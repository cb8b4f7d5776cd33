import { type Engine, open, type Store } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe } from 'vitest';

/** The stores that every row of every document is shown on. */
const stores: readonly (readonly [name: string, create: () => Store])[] = [['memory', memoryStore]];

interface Place {
  /** Opens an engine on a store of the test's own. */
  readonly fresh: () => Promise<Engine>;
  /** An empty store as a value, for tests that open it more than once. */
  readonly store: () => Store;
}

/** Describes a document's rows on every store: "seed 001 on memory". */
export function describeSeed(seed: string, rows: (place: Place) => void): void {
  describe.each(stores)(`seed ${seed} on %s`, (_name, create) => {
    rows({ fresh: () => open(create()), store: create });
  });
}

/** All that an iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
