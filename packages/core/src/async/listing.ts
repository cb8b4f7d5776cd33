/**
 * A list that is read from the store as you iterate over it. Iterating again reads it again.
 *
 * @example
 * ```ts
 * const newest = await engine.runs({ graph: refunds }).first();
 * const failed = await engine.runs({ status: 'failed' }).toArray();
 * ```
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** Reads everything. */
  toArray(): Promise<T[]>;
  /** Reads only the first item. Undefined if there is none. */
  first(): Promise<T | undefined>;
  /** Reads up to the first item that passes the test. Undefined if none does. */
  find(test: (item: T) => boolean): Promise<T | undefined>;
}

/** A listing of what each call of `read` yields. */
export function listing<T>(read: () => AsyncIterable<T>): Listing<T> {
  const find = async (test: (item: T) => boolean): Promise<T | undefined> => {
    for await (const item of read()) if (test(item)) return item;
    return undefined;
  };
  return {
    [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator](),
    async toArray() {
      const items: T[] = [];
      for await (const item of read()) items.push(item);
      return items;
    },
    first: () => find(() => true),
    find,
  };
}
