type Leaf = string | number | bigint | boolean | null | undefined | void | symbol | Date | Uint8Array;

/** T with everything in it read-only, all the way down: what a state holds, and what may be written to it. */
export type Frozen<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<Frozen<K>, Frozen<V>>
      : T extends ReadonlySet<infer V>
        ? ReadonlySet<Frozen<V>>
        : { readonly [K in keyof T]: Frozen<T[K]> };
